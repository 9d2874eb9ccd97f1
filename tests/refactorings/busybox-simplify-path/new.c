char* FAST_FUNC bb_simplify_abs_path_inplace(char *start)
{
	char *end = start;
	const char *s = start;

	for (;;) {
		while (*s == '/')
			s++;
		if (*s == '\0')
			break;
		size_t length = 0;
		while (s[length] && s[length] != '/')
			length++;
		if (length == 1 && s[0] == '.') {
			/* this folder */
		} else if (length == 2 && s[0] == '.' && s[1] == '.') {
			if (end > start)
				while (*--end != '/')
					continue;
		} else {
			*end++ = '/';
			memmove(end, s, length);
			end += length;
		}
		s += length;
	}
	if (end == start)
		*end++ = '/';
	*end = '\0';
	return end;
}
