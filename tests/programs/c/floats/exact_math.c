// The math functions whose results are exactly specified.
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0, -0.0, 0.25, 0.5, -0.5, 1, 1.5, 2.5, -2.5, 3.7, -3.7, 1e10 + 0.5, 4503599627370497.5, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i], whole;
        int exponent;
        printf("%a: floor %a ceil %a trunc %a round %a rint %a nearbyint %a fabs %a\n", v, floor(v), ceil(v), trunc(v), round(v), rint(v),
               nearbyint(v), fabs(v));
        if (v >= 0) printf("  sqrt %a %a", sqrt(v), (double)sqrtf((float)v));
        double fraction = modf(v, &whole);
        printf("  modf %a %a", fraction, whole);
        fraction = frexp(v, &exponent);
        printf("  frexp %a %d", fraction, exponent);
        printf("  ldexp %a %a scalbn %a\n", ldexp(v, 5), ldexp(v, -1000), scalbn(v, 100));
        if (v != 0) printf("  logb %a ilogb %d\n", logb(v), ilogb(v));
    }
    for (int i = -7; i <= 7; i += 2)
        for (int j = -3; j <= 3; j += 2) {
            int quotient;
            double a = i * 1.3, b = j * 0.7;
            printf("%a %a %a\n", fmod(a, b), remainder(a, b), remquo(a, b, &quotient));
        }
    printf("%a %a %a\n", fma(0x1.0000001p0, 0x1.0000001p0, -1), fma(1e308, 10, -INFINITY), fma(0x1p-1074, 0.5, 0));
    printf("%a %a\n", (double)fmaf(16777217.0f, 3.0f, 0.25f), fma(3, 1.0 / 3, -1));
    printf("%a %a %a\n", fdim(3, 5), fdim(5, 3), fmod(1e300, 7));
    printf("%a %a\n", sqrt(2), (double)sqrtf(2));
    return 0;
}
