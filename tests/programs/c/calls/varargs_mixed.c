// Variadic functions: many mixed types, more than the register save area holds.
#include <stdarg.h>
#include <stdio.h>

static void walk(const char *types, ...) {
    va_list list;
    va_start(list, types);
    for (const char *t = types; *t; t++) switch (*t) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'u': printf("%u ", va_arg(list, unsigned)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 's': printf("%s ", va_arg(list, char *)); break;
        case 'c': printf("%c ", va_arg(list, int)); break;
        case 'L': printf("%.3Lf ", va_arg(list, long double)); break;
        case 'p': printf("%d ", *va_arg(list, int *)); break;
        }
    va_end(list);
    putchar('\n');
}
static double average(int n, ...) {
    va_list list;
    double s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) s += va_arg(list, double);
    va_end(list);
    return n ? s / n : 0;
}
static long after_many(int a, int b, int c, int d, int e, int f, int g, ...) {
    va_list list;
    va_start(list, g);
    long r = a + b + c + d + e + f + g;
    for (int i = 0; i < 4; i++) r = r * 10 + va_arg(list, int);
    va_end(list);
    return r;
}

int main(void) {
    int x = 99;
    walk("iiiiiiii", 1, -2, 3, -4, 5, -6, 7, -8);
    walk("dddddddddddd", 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5);
    walk("idsidsidsids", 1, 1.1, "one", 2, 2.2, "two", 3, 3.3, "three", 4, 4.4, "four");
    walk("LiLdL", 1.25L, 5, -2.5L, 0.125, 1e10L);
    walk("iiiiiiLiLddddddddLdi", 1, 2, 3, 4, 5, 6, 7.0L, 8, 9.0L, 1., 2., 3., 4., 5., 6., 7., 8., 9.5L, 10., 11);
    walk("culpcs", 'A', 4000000000u, -5000000000L, &x, 'Z', "end");
    walk("");
    printf("%g %g\n", average(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.), average(0));
    printf("%ld\n", after_many(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4));
    walk("id", (short)-3, (double)(float)0.1f);
    return 0;
}
