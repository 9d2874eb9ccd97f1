int luaO_ceillog2 (unsigned int x) {
  unsigned int below = x - 1;
  return (below == 0) ? 0 : 32 - __builtin_clz(below);
}
