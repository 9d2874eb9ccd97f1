/* Message texts with the host's wording, so that a program's diagnostics are the same in the VM and
 * natively: strerror, strsignal, assert. The texts themselves are asked of the host when the guest libc
 * is built; host_texts.h is made then. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libc.h"
#include "locale_impl.h"
#include "host_texts.h"

#define LENGTH(array) (sizeof (array) / sizeof *(array))

char *__strerror_l(int number, locale_t locale)
{
	static char unknown[32];
	if (number >= 0 && number < LENGTH(errors)) return (char *)errors[number];
	snprintf(unknown, sizeof unknown, "%s%d", unknown_error, number);
	return unknown;
}

char *strerror(int number)
{
	return __strerror_l(number, CURRENT_LOCALE);
}

weak_alias(__strerror_l, strerror_l);

char *strsignal(int number)
{
	static char unknown[32];
	if (number >= 0 && number < LENGTH(signals)) return (char *)signals[number];
	snprintf(unknown, sizeof unknown, "%s%d", unknown_signal, number);
	return unknown;
}

_Noreturn void __assert_fail(const char *expression, const char *file, int line, const char *function)
{
	fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", __progname, *__progname ? ": " : "", file, line,
		function ? function : "", function ? ": " : "", expression);
	abort();
}
