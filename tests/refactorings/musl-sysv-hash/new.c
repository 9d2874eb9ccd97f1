static uint32_t sysv_hash(const char *s0)
{
	uint32_t h = 0, high;
	for (; *s0; s0++) {
		h = (h << 4) + (unsigned char)*s0;
		high = h & 0xf0000000;
		if (high)
			h = (h ^ high >> 24) & ~high;
	}
	return h;
}
