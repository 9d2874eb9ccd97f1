LogEst sqlite3LogEst(u64 x){
  static const LogEst fraction[] = { 0, 2, 3, 5, 6, 7, 8, 9 };
  if( x<2 ) return 0;
  int top = 63 - __builtin_clzll(x);
  if( top<3 ) x <<= 3 - top;
  else x >>= top - 3;
  return 10 * top + fraction[x&7];
}
