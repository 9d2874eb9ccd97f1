char *dirname(char *s)
{
	if (!s || !*s)
		return ".";
	char *p = s + strlen(s) - 1;
	while (p > s && *p == '/') p--;
	if (*p == '/')
		return "/";
	for (; *p != '/'; p--)
		if (p == s) return ".";
	do {
		if (p == s) return "/";
		p--;
	} while (*p == '/');
	p[1] = '\0';
	return s;
}
