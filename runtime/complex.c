/* Complex multiplication and division: clang turns `*` and `/` on complex operands into calls of these
 * compiler-support functions. The recovery of infinities follows C11 Annex G. */

#include <math.h>

#define COMPLEX_SUPPORT(REAL, COMPLEX, multiply, divide, copysign, fmax, fabs, logb, scalbn) \
static REAL multiply##_unit(REAL x) \
{ \
	return copysign(isinf(x) ? 1 : 0, x); \
} \
static REAL multiply##_zero_if_nan(REAL x) \
{ \
	return isnan(x) ? copysign(0, x) : x; \
} \
static COMPLEX multiply##_make(REAL re, REAL im) \
{ \
	COMPLEX z; \
	__real__ z = re; \
	__imag__ z = im; \
	return z; \
} \
COMPLEX multiply(REAL a, REAL b, REAL c, REAL d) \
{ \
	REAL re = a * c - b * d, im = a * d + b * c; \
	if (isnan(re) && isnan(im)) { \
		int recover = 0; \
		REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
		if (isinf(a) || isinf(b)) { \
			a = multiply##_unit(a); \
			b = multiply##_unit(b); \
			c = multiply##_zero_if_nan(c); \
			d = multiply##_zero_if_nan(d); \
			recover = 1; \
		} \
		if (isinf(c) || isinf(d)) { \
			c = multiply##_unit(c); \
			d = multiply##_unit(d); \
			a = multiply##_zero_if_nan(a); \
			b = multiply##_zero_if_nan(b); \
			recover = 1; \
		} \
		if (!recover && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
			a = multiply##_zero_if_nan(a); \
			b = multiply##_zero_if_nan(b); \
			c = multiply##_zero_if_nan(c); \
			d = multiply##_zero_if_nan(d); \
			recover = 1; \
		} \
		if (recover) { \
			re = (REAL)INFINITY * (a * c - b * d); \
			im = (REAL)INFINITY * (a * d + b * c); \
		} \
	} \
	return multiply##_make(re, im); \
} \
COMPLEX divide(REAL a, REAL b, REAL c, REAL d) \
{ \
	int exponent = 0; \
	REAL scale = logb(fmax(fabs(c), fabs(d))); \
	if (isfinite(scale)) { \
		exponent = (int)scale; \
		c = scalbn(c, -exponent); \
		d = scalbn(d, -exponent); \
	} \
	REAL denominator = c * c + d * d; \
	REAL re = scalbn((a * c + b * d) / denominator, -exponent); \
	REAL im = scalbn((b * c - a * d) / denominator, -exponent); \
	if (isnan(re) && isnan(im)) { \
		if (denominator == 0 && (!isnan(a) || !isnan(b))) { \
			re = copysign((REAL)INFINITY, c) * a; \
			im = copysign((REAL)INFINITY, c) * b; \
		} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
			a = multiply##_unit(a); \
			b = multiply##_unit(b); \
			re = (REAL)INFINITY * (a * c + b * d); \
			im = (REAL)INFINITY * (b * c - a * d); \
		} else if (isinf(scale) && scale > 0 && isfinite(a) && isfinite(b)) { \
			c = multiply##_unit(c); \
			d = multiply##_unit(d); \
			re = 0 * (a * c + b * d); \
			im = 0 * (b * c - a * d); \
		} \
	} \
	return multiply##_make(re, im); \
}

COMPLEX_SUPPORT(float, float _Complex, __mulsc3, __divsc3, copysignf, fmaxf, fabsf, logbf, scalbnf)
COMPLEX_SUPPORT(double, double _Complex, __muldc3, __divdc3, copysign, fmax, fabs, logb, scalbn)
COMPLEX_SUPPORT(long double, long double _Complex, __mulxc3, __divxc3, copysignl, fmaxl, fabsl, logbl,
	scalbnl)
