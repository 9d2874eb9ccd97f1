// NaN, infinities, signed zero, subnormals: comparison and classification.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static const char *kind(double d) {
    switch (fpclassify(d)) {
    case FP_NAN: return "nan";
    case FP_INFINITE: return "inf";
    case FP_ZERO: return "zero";
    case FP_SUBNORMAL: return "subnormal";
    default: return "normal";
    }
}

int main(void) {
    volatile double zero = 0.0, one = 1.0, huge = DBL_MAX;
    double values[] = {zero, -zero, one, -one, one / zero, -one / zero, NAN, huge * 2, DBL_MIN / 2, huge, DBL_TRUE_MIN, -DBL_TRUE_MIN};
    const int n = sizeof values / sizeof *values;
    for (int i = 0; i < n; i++) {
        double v = values[i];
        printf("%-9s %d %d %d %d %d :", kind(v), !!signbit(v), !!isnan(v), !!isinf(v), !!isfinite(v), !!isnormal(v));
        for (int j = 0; j < n; j++) {
            double w = values[j];
            printf(" %x", (v < w) | (v <= w) << 1 | (v == w) << 2 | (v != w) << 3 | (v > w) << 4 | (v >= w) << 5 | isunordered(v, w) << 6);
        }
        putchar('\n');
    }
    printf("%016llx %016llx\n", (unsigned long long)bits(-zero), (unsigned long long)bits(one / zero));
    printf("%.17g %a %a\n", DBL_MIN - DBL_TRUE_MIN, huge + DBL_EPSILON, DBL_TRUE_MIN / 2);
    printf("%d %d %d\n", isnan(zero / zero) != 0, isnan(INFINITY - INFINITY) != 0, isnan(INFINITY * zero) != 0);
    printf("%g %g %g %g\n", fmin(NAN, 1), fmax(2, NAN), fmin(-1, 3), fmax(-INFINITY, -5));
    printf("%g %g %d\n", copysign(3, -zero), copysign(-3, one), !!signbit(copysign(NAN, -1)));
    printf("%a %.17g %a\n", nextafter(1, 2), nextafter(0, -1), nextafter(DBL_MAX, INFINITY));
    return 0;
}
