static const char *utf8_decode (const char *s, utfint *val, int strict) {
  static const utfint least[] = {0, 0x80, 0x800, 0x10000u, 0x200000u, 0x4000000u};
  unsigned int c = (unsigned char)s[0];
  utfint res;
  int count = 0;
  if (c < 0x80)
    res = c;
  else {
    while (c & (0x40u >> count)) count++;
    if (count == 0 || count > 5) return NULL;
    res = c & (0x3Fu >> count);
    for (int i = 1; i <= count; i++) {
      unsigned int cc = (unsigned char)s[i];
      if (cc >> 6 != 2) return NULL;
      res = res << 6 | (cc & 0x3F);
    }
    if (res < least[count]) return NULL;
  }
  if (strict && (res > MAXUNICODE || (0xD800u <= res && res <= 0xDFFFu)))
    return NULL;
  if (val) *val = res;
  return s + count + 1;
}
