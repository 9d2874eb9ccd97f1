/* The math functions that report errors through errno, as the host's do and musl's do not. musl's own are
 * compiled under names with the prefix __musl_ and called from here; what went wrong shows in arguments and
 * result. */

#include <errno.h>
#include <math.h>

#define REPORT(error) \
	int number = error; \
	if (number) errno = number; \
	return result;
#define ONE_ARGUMENT(type, name, error) \
	type __musl_##name(type); \
	type name(type x) \
	{ \
		type result = __musl_##name(x); \
		REPORT(error) \
	}
#define WITH_SECOND(second, type, name, error) \
	type __musl_##name(type, second); \
	type name(type x, second y) \
	{ \
		type result = __musl_##name(x, y); \
		REPORT(error) \
	}
#define TWO_ARGUMENTS(type, name, error) WITH_SECOND(type, type, name, error)
#define AND_AN_INT(type, name, error) WITH_SECOND(int, type, name, error)

#define ALL_TYPES(arguments, name, error) \
	arguments(double, name, error) \
	arguments(float, name##f, error) \
	arguments(long double, name##l, error)

#define OUT_OF_RANGE(condition) ((condition) ? ERANGE : 0)
#define OUT_OF_DOMAIN(condition) ((condition) ? EDOM : 0)
#define POLE_AT(pole) (x == (pole) ? ERANGE : x < (pole) ? EDOM : 0)
#define OVERFLOW OUT_OF_RANGE(isinf(result) && isfinite(x))

ALL_TYPES(ONE_ARGUMENT, exp, OUT_OF_RANGE((isinf(result) || result == 0) && isfinite(x)))
ALL_TYPES(ONE_ARGUMENT, exp2, OUT_OF_RANGE((isinf(result) || result == 0) && isfinite(x)))
ALL_TYPES(ONE_ARGUMENT, expm1, OVERFLOW)
ALL_TYPES(ONE_ARGUMENT, sinh, OVERFLOW)
ALL_TYPES(ONE_ARGUMENT, cosh, OVERFLOW)

ALL_TYPES(ONE_ARGUMENT, log, POLE_AT(0))
ALL_TYPES(ONE_ARGUMENT, log2, POLE_AT(0))
ALL_TYPES(ONE_ARGUMENT, log10, POLE_AT(0))
ALL_TYPES(ONE_ARGUMENT, log1p, POLE_AT(-1))

ALL_TYPES(ONE_ARGUMENT, sin, OUT_OF_DOMAIN(isinf(x)))
ALL_TYPES(ONE_ARGUMENT, cos, OUT_OF_DOMAIN(isinf(x)))
ALL_TYPES(ONE_ARGUMENT, tan, OUT_OF_DOMAIN(isinf(x)))
ALL_TYPES(ONE_ARGUMENT, asin, OUT_OF_DOMAIN(x < -1 || x > 1))
ALL_TYPES(ONE_ARGUMENT, acos, OUT_OF_DOMAIN(x < -1 || x > 1))
ALL_TYPES(ONE_ARGUMENT, acosh, OUT_OF_DOMAIN(x < 1))
ALL_TYPES(ONE_ARGUMENT, atanh, x == 1 || x == -1 ? ERANGE : OUT_OF_DOMAIN(x < -1 || x > 1))

double sqrt(double x)
{
	if (x < 0) errno = EDOM;
	return __builtin_sqrt(x);
}

float sqrtf(float x)
{
	if (x < 0) errno = EDOM;
	return __builtin_sqrtf(x);
}

ONE_ARGUMENT(long double, sqrtl, OUT_OF_DOMAIN(x < 0))

#define NO_QUOTIENT OUT_OF_DOMAIN((isinf(x) || y == 0) && !isnan(x) && !isnan(y))
ALL_TYPES(TWO_ARGUMENTS, fmod, NO_QUOTIENT)

#define NO_POWER (isnan(result) ? EDOM : OUT_OF_RANGE(isinf(result) || (result == 0 && x != 0)))
ALL_TYPES(TWO_ARGUMENTS, pow, isfinite(x) && isfinite(y) ? NO_POWER : 0)

ALL_TYPES(TWO_ARGUMENTS, hypot, OUT_OF_RANGE(isinf(result) && isfinite(x) && isfinite(y)))

ALL_TYPES(AND_AN_INT, ldexp, OUT_OF_RANGE((isinf(result) || result == 0) && isfinite(x) && x != 0))
