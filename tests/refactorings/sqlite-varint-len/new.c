int sqlite3VarintLen(u64 v){
  return 1 + (63 - __builtin_clzll(v | 1)) / 7;
}
