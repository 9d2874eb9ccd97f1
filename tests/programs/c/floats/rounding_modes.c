// rint, nearbyint and lrint follow the default rounding mode, which fegetround reports.
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        printf("%a %a %ld\n", rint(values[i]), nearbyint(values[i]), lrint(values[i]));
    printf("%d\n", fegetround() == FE_TONEAREST);
    return 0;
}
