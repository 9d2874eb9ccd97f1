// Functions of <math.h> say through errno that a result does not exist, or is too large or too small.
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.5, 1e-5, -20.0, 700.0, -700.0, 710.0, 1000.0, -1000.0, 12000.0,
    -12000.0, 1e300, -1e300, 1e-300, INFINITY, -INFINITY, NAN,
};
#define COUNT (int)(sizeof values / sizeof *values)

static void show(const char *name, double x, double y) {
    if (errno) printf("%s(%g, %g): %d\n", name, x, y, errno);
}

#define ONE(name) \
    for (int i = 0; i < COUNT; i++) { \
        errno = 0; name(values[i]); show(#name, values[i], 0); \
        errno = 0; name##f(values[i]); show(#name "f", values[i], 0); \
        errno = 0; name##l(values[i]); show(#name "l", values[i], 0); \
    }
#define TWO(name) \
    for (int i = 0; i < COUNT; i++) \
        for (int j = 0; j < COUNT; j++) { \
            errno = 0; name(values[i], values[j]); show(#name, values[i], values[j]); \
            errno = 0; name##f(values[i], values[j]); show(#name "f", values[i], values[j]); \
            errno = 0; name##l(values[i], values[j]); show(#name "l", values[i], values[j]); \
        }

int main(void) {
    ONE(exp) ONE(exp2) ONE(expm1) ONE(sinh) ONE(cosh) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt)
    ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(acosh) ONE(atanh)
    TWO(fmod) TWO(pow) TWO(hypot)
    static const int powers[] = {0, 1, -1, 100, -100, 200, -200, 1100, -1100, 20000, -20000, 100000, -100000};
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 13; j++) {
            errno = 0; ldexp(values[i], powers[j]); show("ldexp", values[i], powers[j]);
            errno = 0; ldexpf(values[i], powers[j]); show("ldexpf", values[i], powers[j]);
            errno = 0; ldexpl(values[i], powers[j]); show("ldexpl", values[i], powers[j]);
        }
    return 0;
}
