// x87 extended precision: every result is shown by its ten bytes.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name, long double v) {
    unsigned char raw[16];
    memcpy(raw, &v, 16);
    printf("%-12s", name);
    for (int i = 9; i >= 0; i--) printf("%02x", raw[i]);
    printf(" %.21Lg\n", v);
}

int main(void) {
    volatile long double third = 1.0L / 3, ten = 10, tiny = LDBL_MIN;
    show("third", third);
    show("add", third + ten), show("sub", third - ten), show("mul", third * third), show("div", ten / third);
    show("neg", -third);
    show("eps", LDBL_EPSILON), show("max", LDBL_MAX), show("min", tiny), show("subnormal", tiny / 1024);
    show("inf", ten / 0.0L), show("-inf", -LDBL_MAX * 2);
    long double factorial = 1, power = 1, sum = 0;
    for (int i = 1; i <= 30; i++) factorial *= i, power *= 1.1L, sum += 1 / factorial;
    show("30!", factorial), show("1.1^30", power), show("e-1", sum);
    show("sqrt", sqrtl(2)), show("floor", floorl(-2.5L)), show("fabs", fabsl(-third));
    show("big", 18446744073709551615.0L), show("big+1", 18446744073709551615.0L + 1);
    int exponent;
    show("frexp", frexpl(ten, &exponent)), printf("%d\n", exponent);
    show("ldexp", ldexpl(third, -16400)), show("fmod", fmodl(ten, third));
    show("copysign", copysignl(third, -1)), show("trunc", truncl(1234.9L)), show("rint", rintl(2.5L));
    printf("%d %d %d %d\n", third < ten, third == 1.0L / 3, (long double)0.1 == 0.1L, third != (double)third);
    printf("%d %d\n", LDBL_MANT_DIG, LDBL_MAX_EXP);
    return 0;
}
