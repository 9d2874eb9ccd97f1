	public int
is_utf8_well_formed(char *ss, int slen)
{
	/* The least second byte after the least first byte, for 3 to 6 bytes. */
	static const unsigned char least[] = { 0xa0, 0x90, 0x88, 0x84 };
	const unsigned char *s = (const unsigned char *) ss;
	int len = utf_len(s[0]);
	int i;

	if (len > slen || IS_UTF8_INVALID(s[0]))
		return 0;
	if (len == 1)
		return 1;
	if (s[0] == 0xc0 || s[0] == 0xc1)
		return 0;
	if (len > 2 && (s[0] & (0x7f >> len)) == 0 && s[1] < least[len - 3])
		return 0;
	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return 1;
}
