unsigned long FAST_FUNC isqrt(unsigned long long N)
{
	unsigned long long rest = N, root = 0;
	for (unsigned long long bit = 1ULL << 62; bit; bit >>= 2) {
		unsigned long long trial = root + bit;
		root >>= 1;
		if (rest >= trial) {
			rest -= trial;
			root += bit;
		}
	}
	return root;
}
