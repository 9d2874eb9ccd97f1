// A function with an argument list, called as old programs do, where no prototype says so.
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{
	va_list list;
	int total = 0;
	va_start(list, count);
	for (int i = 0; i < count; i++) total += va_arg(list, int);
	va_end(list);
	return total;
}

static void print(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
}

int main(void)
{
	int (*volatile unspecified)() = (int (*)())sum;
	printf("%d\n", unspecified(4, 1, 20, 300, 4000));
	((void (*)())print)("%s %d %.2f %ld\n", "text", -5, 2.25, 1L << 40);
	return 0;
}
