	public LWCHAR
get_wchar(constant char *p)
{
	int len = utf_len(p[0]);
	if (len == 1)
		return p[0] & 0xff;
	LWCHAR ch = p[0] & (0x7f >> len);
	for (int i = 1; i < len; i++)
		ch = ch << 6 | (p[i] & 0x3f);
	return ch;
}
