static int is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* Which of two runs of digits is longer. */
static int longer(const unsigned char *l, const unsigned char *r)
{
	while (is_digit(*l) && is_digit(*r))
		l++, r++;
	int after = is_digit(*l) - is_digit(*r);
	if (after < 0)
		return -1;
	return after == 0 ? 0 : 1;
}

int strverscmp(const char *l0, const char *r0)
{
	const unsigned char *l = (const unsigned char *)l0;
	const unsigned char *r = (const unsigned char *)r0;
	const unsigned char *digits = l;
	int zeros = 1;

	while (*l == *r) {
		if (*l == 0)
			return 0;
		if (!is_digit(*l))
			digits = l + 1, zeros = 1;
		else if (*l != '0')
			zeros = 0;
		l++, r++;
	}
	/* The same digit on both sides unless the run begins here. */
	const unsigned char *other = r - (l - digits);
	if (*digits != '0' && *other != '0') {
		int which = longer(l, r);
		if (which)
			return which;
	} else if (zeros && digits < l && (is_digit(*l) || is_digit(*r))) {
		return (*l - '0' & 0xff) - (*r - '0' & 0xff);
	}
	return *l - *r;
}
