int iswprint(wint_t wc)
{
	if (wc < 0x20 || (wc >= 0x7f && wc < 0xa0))
		return 0;
	if (wc == 0x2028 || wc == 0x2029)
		return 0;
	if (wc >= 0xd800 && wc < 0xe000)
		return 0;
	if (wc >= 0xfff9 && wc <= 0xfffb)
		return 0;
	return wc <= 0x10ffff && (wc & 0xfffe) != 0xfffe;
}
