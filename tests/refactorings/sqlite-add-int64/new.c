int sqlite3AddInt64(i64 *pA, i64 iB){
  u64 a = (u64)*pA;
  u64 b = (u64)iB;
  u64 sum = a + b;
  int overflow = ((sum ^ a) & (sum ^ b)) >> 63;
  if( overflow ) return 1;
  *pA = (i64)sum;
  return 0;
}
