	public int
utf_len(int ch)
{
	int ones = __builtin_clz(~((unsigned) ch << 24) | 1);
	return ones < 2 || ones > 6 ? 1 : ones;
}
