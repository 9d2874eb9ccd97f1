long long __year_to_secs(long long year, int *is_leap)
{
	int ignored;
	if (!is_leap)
		is_leap = &ignored;

	if (year >= 2 && year <= 138) {
		int y = (int)year - 68;
		*is_leap = y % 4 == 0;
		return 31536000 * (y - 2) + 86400 * ((y >> 2) - *is_leap);
	}

	int cycles = (year - 100) / 400;
	int rem = (year - 100) % 400;
	if (rem < 0) {
		cycles--;
		rem += 400;
	}
	int centuries = rem / 100;
	*is_leap = rem == 0 || (rem % 4 == 0 && !(rem % 100 == 0));
	int leaps = rem % 100 / 4 + 24 * centuries + 97 * cycles - *is_leap;
	return (year - 100) * 31536000LL + leaps * 86400LL + 946684800 + 86400;
}
