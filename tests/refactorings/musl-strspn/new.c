size_t strspn(const char *s, const char *c)
{
	size_t n = 0;
	while (s[n] && strchr(c, s[n]))
		n++;
	return n;
}
