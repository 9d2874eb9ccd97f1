/* Floating-point environment: rounding is always to nearest, and exception flags are not tracked. Asking for another
 * rounding mode, or for a flag, goes to the VM, which names it as unsupported: to fail, or to say that no flag is set,
 * would send programs down paths that no real run takes. */

#include <fenv.h>
#include <features.h>

/* Ends the run; declared as if it came back, since natively the program goes on from here. */
void __parallax_unsupported(const char *what);

int feclearexcept(int mask)
{
	return 0;
}

int feraiseexcept(int mask)
{
	return 0;
}

int fetestexcept(int mask)
{
	if (mask & FE_ALL_EXCEPT) __parallax_unsupported("floating-point exception flags (fetestexcept)");
	return 0;
}

int fegetround(void)
{
	return FE_TONEAREST;
}

static void other_rounding(void)
{
	__parallax_unsupported("rounding other than to nearest (fesetround)");
}

hidden int __fesetround(int mode)
{
	if (mode != FE_TONEAREST) other_rounding();
	return 0;
}

int fegetenv(fenv_t *env)
{
	*env = (fenv_t){ 0 };
	return 0;
}

int fesetenv(const fenv_t *env)
{
	int has_other = env != FE_DFL_ENV && (env->__mxcsr >> 3 & 0xc00 || env->__control_word & 0xc00);
	if (has_other) other_rounding();
	return 0;
}
