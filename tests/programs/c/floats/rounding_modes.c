// rint, nearbyint, lrint and their kin follow the default rounding mode, which fegetround reports.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6, 4503599627370495.5, -1e18};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%a %a %ld %ld", rint(v), nearbyint(v), lrint(v), lround(v));
        printf(" %a %a %.0f\n", (double)rintf((float)v), (double)nearbyintf((float)v), v);
    }
    long sum = 0;
    for (int i = -2000; i < 2000; i++) sum = sum * 3 % 1000003 + lrint(i * 0.25) + 2 * lrintf((float)i * 0.5f) + llrint(i / 8.0);
    printf("%ld\n", sum);
    printf("%d %d\n", fegetround() == FE_TONEAREST, FLT_ROUNDS);
    return 0;
}
