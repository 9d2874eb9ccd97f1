int __inet_aton(const char *s, struct in_addr *dest)
{
	unsigned char *d = (unsigned char *)dest;
	unsigned long part[4], last;
	int i = 0;

	for (;;) {
		char *z;
		if (*s < '0' || *s > '9')
			return 0;
		last = part[i] = strtoul(s, &z, 0);
		if (!*z)
			break;
		if (*z != '.' || ++i == 4)
			return 0;
		s = z + 1;
	}
	/* The last part stands for all bytes that are left. */
	for (int k = 3; k > i; k--, last >>= 8)
		part[k] = last & 0xff;
	part[i] = last;
	for (i = 0; i < 4; i++) {
		if (part[i] > 255)
			return 0;
		d[i] = part[i];
	}
	return 1;
}
