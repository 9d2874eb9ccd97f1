static int digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* The byte that two digits stand for, or -1. */
static int escaped(const char *src)
{
	int high = digit(src[0]);
	if (high > 15)
		return -1;
	int low = digit(src[1]);
	return low > 15 ? -1 : high << 4 | low;
}

char* FAST_FUNC percent_decode_in_place(char *str, int strict)
{
	char *dst = str;
	for (const char *src = str; *src; src++) {
		char c = *src;
		if (c == '%') {
			int v = escaped(src + 1);
			if (v >= 0) {
				if (strict && (v == '/' || v == '\0'))
					return str + 1;
				c = v;
				src += 2;
			} else if (strict) {
				return NULL;
			}
		} else if (c == '+' && !strict) {
			c = ' ';
		}
		*dst++ = c;
	}
	*dst = '\0';
	return str;
}
