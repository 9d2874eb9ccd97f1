char *
last_component (char const *name)
{
  char const *base = name;
  while (ISSLASH (*base))
    base++;
  for (char const *p = base; *p; p++)
    if (ISSLASH (*p) && p[1] && !ISSLASH (p[1]))
      base = p + 1;
  return (char *) base;
}
