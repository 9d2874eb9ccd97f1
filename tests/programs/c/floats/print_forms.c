// printf's %f %e %g %a for many doubles, precisions and flags.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1.0 / 3, 2.5, 3.5, 0.125, 123456789.0, 1e15, 1e16, 1e17, 1e22,
                                    1e23, 1e-5, 1e-4, 99999.95, 999998.5, 9.995, DBL_MAX, DBL_MIN, DBL_EPSILON,
                                    9007199254740993.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%g|%e|%a|%.0f|%.3f|%.17g\n", v, v, v, v, v, v);
        printf("%+.2e|% g|%#g|%015.3f|%-12.1f|%12.4g|%A|%G|%E\n", v, v, v, v, v, v, v, v, v);
    }
    printf("%f %f %F %e %g %a\n", INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, INFINITY);
    printf("%f %e %G %10f|%-10f|%010f\n", NAN, NAN, NAN, NAN, NAN, INFINITY);
    printf("%.30f\n%.50g\n%.0e %#.0f %#.0e\n", 0.1, 0.1, 15.0, 3.0, 3.0);
    printf("%*.*f|%-*.*e|\n", 12, 3, 3.14159, 14, 2, 2.71828);
    printf("%.10a %.1a %.0a\n", 1.0 / 3, 1.96875, 1.25);
    printf("%.400f\n", 4.9e-324);
    return 0;
}
