static int SQLITE_NOINLINE putVarint64(unsigned char *p, u64 v){
  int n = 1;
  int i;
  if( v>>56 ){
    p[8] = (u8)v;
    v >>= 8;
    for(i=7; i>=0; i--, v>>=7) p[i] = (u8)(v | 0x80);
    return 9;
  }
  for(u64 rest=v>>7; rest; rest>>=7) n++;
  for(i=n-1; i>=0; i--, v>>=7) p[i] = (u8)(v | 0x80);
  p[n-1] &= 0x7f;
  return n;
}
