/* Quotient and remainder, which is never negative. */
static long long floor_divide(long long number, int by, int *rest)
{
	long long quotient = number / by;
	*rest = number % by;
	if (*rest < 0) {
		*rest += by;
		quotient--;
	}
	return quotient;
}

/* As many whole parts as fit, `most` at most. */
static int take(int *days, int part, int most)
{
	int number = *days / part;
	if (number > most)
		number = most;
	*days -= number * part;
	return number;
}

int __secs_to_tm(long long t, struct tm *tm)
{
	static const char days_in_month[] = {31,30,31,30,31,31,30,31,30,31,31,29};
	int secs, day;

	if (t < INT_MIN * 31622400LL || t > INT_MAX * 31622400LL)
		return -1;

	long long days = floor_divide(t - LEAPOCH, 86400, &secs);
	int wday;
	floor_divide(days + 3, 7, &wday);
	int cycles = floor_divide(days, DAYS_PER_400Y, &day);
	int centuries = take(&day, DAYS_PER_100Y, 3);
	int fours = take(&day, DAYS_PER_4Y, 24);
	int rest = take(&day, 365, 3);
	int leap = rest == 0 && (fours != 0 || centuries == 0);
	int yday = (day + 31 + 28 + leap) % (365 + leap);
	long long years = rest + 4*fours + 100*centuries + 400LL*cycles;

	int month = 0;
	while (days_in_month[month] <= day)
		day -= days_in_month[month++];
	if (month >= 10) {
		month -= 12;
		years++;
	}
	if (years+100 > INT_MAX || years+100 < INT_MIN)
		return -1;

	tm->tm_year = years + 100;
	tm->tm_mon = month + 2;
	tm->tm_mday = day + 1;
	tm->tm_wday = wday;
	tm->tm_yday = yday;
	tm->tm_hour = secs / 3600;
	tm->tm_min = secs / 60 % 60;
	tm->tm_sec = secs % 60;
	return 0;
}
