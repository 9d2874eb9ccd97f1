long long __year_to_secs(long long year, int *is_leap)
{
	int ignored;
	if (!is_leap)
		is_leap = &ignored;

	/* Years since 2000, in cycles of 400. */
	int cycles = (year - 100) / 400;
	int rem = (year - 100) % 400;
	if (rem < 0) {
		cycles--;
		rem += 400;
	}
	*is_leap = rem % 4 == 0 && (rem == 0 || rem % 100 != 0);
	int leaps = rem / 4 - rem / 100 + 97 * cycles - *is_leap;
	return (year - 100) * 31536000LL + leaps * 86400LL + 946684800 + 86400;
}
