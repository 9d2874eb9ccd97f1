int
memcasecmp (const void *vs1, const void *vs2, size_t n)
{
  const unsigned char *s1 = vs1;
  const unsigned char *s2 = vs2;
  while (n-- > 0)
    {
      int diff = toupper (*s1++) - toupper (*s2++);
      if (diff)
        return diff;
    }
  return 0;
}
