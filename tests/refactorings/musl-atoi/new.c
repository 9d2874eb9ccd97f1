int atoi(const char *s)
{
	while (*s == ' ' || *s - '\t' < 5u)
		s++;
	int negative = *s == '-';
	if (negative || *s == '+')
		s++;
	int n = 0;
	for (; *s >= '0' && *s <= '9'; s++)
		n = 10 * n + ('0' - *s);
	if (negative)
		return n;
	return -n;
}
