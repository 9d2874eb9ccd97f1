/* Floats of all formats, and the functions that are intrinsics. */
#include "show.h"

static volatile double values[] = {
	0.0, -0.0, 1.0, -1.5, 2.5, 3.5, -2.5, 0.1, 1e-310, -4.9e-324, 1e308, 123456789.75,
	-1e15, 1e-5, 4503599627370497.5, __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
};
enum { COUNT = sizeof values / sizeof *values };

/* The sign and payload of a computed NaN are nobody's promise. */
static void real(const char *name, double value)
{
	unsigned long bits;
	__builtin_memcpy(&bits, &value, 8);
	show(name, __builtin_isnan(value) ? 0x7ff8 : bits);
}

static void extended(const char *name, long double value)
{
	if (__builtin_isnan(value))
		show(name, 0x7ff8);
	else
		show_bytes(name, &value, 10);
}

static void single(double a)
{
	int exponent;
	double whole;
	real("floor", __builtin_floor(a));
	real("ceil", __builtin_ceil(a));
	real("trunc", __builtin_trunc(a));
	real("round", __builtin_round(a));
	real("rint", __builtin_rint(a));
	real("roundeven", __builtin_elementwise_roundeven(a));
	real("fabs", __builtin_fabs(a));
	real("sqrt", a >= 0 ? __builtin_elementwise_sqrt(a) : 0);
	real("float", (float)a);
	real("half", (double)(_Float16)a);
	extended("long double", (long double)a / 3);
	real("back", (double)((long double)a * 1.1L));
	if (a > -9e18 && a < 9e18) {
		show("long", (long)a);
		show("i128", (unsigned long)(__int128)a);
		show("lrint", __builtin_lrint(a));
		show("lround", __builtin_lround(a));
		if (a >= 0)
			show("unsigned", (unsigned long)a);
	}
	show("nan", __builtin_isfpclass(a, 3));
	show("infinite", __builtin_isfpclass(a, 0x204));
	show("normal", __builtin_isnormal(a));
	show("subnormal", __builtin_issubnormal(a));
	show("signbit", !!__builtin_signbit(a));
	real("modf", __builtin_modf(a, &whole));
	real("whole", whole);
	if (__builtin_isfinite(a)) {
		real("frexp", __builtin_frexp(a, &exponent));
		show("exponent", exponent);
		float fraction = __builtin_frexpf((float)a, &exponent);
		if (!__builtin_isinf((float)a)) {
			real("frexpf", fraction);
			show("exponent", exponent);
		}
		extended("frexpl", __builtin_frexpl(a, &exponent));
		show("exponent", exponent);
	}
	for (int by = -2200; by <= 2200; by += 137) {
		real("ldexp", __builtin_ldexp(a, by));
		real("ldexpf", __builtin_ldexpf((float)a, by / 8));
		extended("ldexpl", __builtin_ldexpl(a, by * 8));
	}
	for (int power = -9; power < 10; power++)
		real("powi", __builtin_powi(a, power));
}

static void two(double a, double b)
{
	real("+", a + b);
	real("-", a - b);
	real("*", a * b);
	real("/", a / b);
	real("fmod", __builtin_fmod(a, b));
	real("copysign", __builtin_copysign(a, b));
	/* Which of two zeros is the smaller one is open. */
	if (a != 0 || b != 0) {
		real("fmin", __builtin_fmin(a, b));
		real("fmax", __builtin_fmax(a, b));
	}
	real("fma", __builtin_fma(a, b, 1.0));
	real("float *", (float)a * (float)b);
	extended("long double +", (long double)a + b);
	extended("long double *", (long double)a * b);
	show("<", a < b);
	show("<=", a <= b);
	show("==", a == b);
	show("!=", a != b);
	show("unordered", __builtin_isunordered(a, b));
	show("less", __builtin_islessgreater(a, b));
}

int main(void)
{
	for (int i = 0; i < COUNT; i++) {
		single(values[i]);
		for (int j = 0; j < COUNT; j++)
			two(values[i], values[j]);
	}
	for (long n = -3; n < 1000000007; n = n * 3 + 7) {
		real("double", (double)n);
		real("float", (float)n);
		real("unsigned", (double)(unsigned long)n);
		extended("long double", (long double)n);
	}
	return 0;
}
