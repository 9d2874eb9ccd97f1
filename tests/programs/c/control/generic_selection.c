// _Generic, typeof, statement expressions, the elvis operator, and attribute cleanup.
#include <stdio.h>

#define TYPE_NAME(x) _Generic((x), char: "char", signed char: "schar", short: "short", int: "int", long: "long", unsigned: "unsigned", unsigned long: "ulong", \
    float: "float", double: "double", long double: "ldouble", char *: "string", const char *: "const string", int *: "int pointer", default: "other")
#define MAXIMUM(a, b) ({ __typeof__(a) left = (a); __typeof__(b) right = (b); left > right ? left : right; })
#define TWICE(x) _Generic((x), int: twice_int, double: twice_double)(x)

static int twice_int(int v) { return v * 2; }
static double twice_double(double v) { return v * 2; }
static int calls;
static int next(void) { return ++calls; }
static void announce(int *p) { printf("leaving %d\n", *p); }

static int scoped(int n) {
    __attribute__((cleanup(announce))) int outer = n;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(announce))) int inner = n * 10 + i;
        if (inner == 31) return outer;
    }
    return -1;
}

int main(void) {
    short s = 1;
    const int c = 2;
    char text[4] = "abc";
    printf("%s %s %s %s %s\n", TYPE_NAME(s), TYPE_NAME(s + s), TYPE_NAME('x'), TYPE_NAME((char)1), TYPE_NAME(c));
    printf("%s %s %s %s\n", TYPE_NAME(1u + 1), TYPE_NAME(1L), TYPE_NAME(1u + 1L), TYPE_NAME(1.0f + 1));
    printf("%s %s %s %s\n", TYPE_NAME(1.0f + 1.0), TYPE_NAME(1.0L), TYPE_NAME(text), TYPE_NAME(&calls));
    printf("%d %g\n", TWICE(21), TWICE(1.25));
    printf("%d %g %d\n", MAXIMUM(next(), 0), MAXIMUM(1, 2.5), calls);
    printf("%d %d\n", next() ?: 99, 0 ?: next());
    printf("%d\n", scoped(3)), printf("%d\n", scoped(4));
    __typeof__(1.5) d = 7;
    __auto_type copy = d / 2;
    printf("%g %zu\n", copy, sizeof(__typeof__(text)));
    int value = ({ int t = 0; for (int i = 0; i < 5; i++) t += i; t; });
    printf("%d %d %d\n", value, __builtin_choose_expr(1, 10, "x"), __builtin_types_compatible_p(int, __typeof__(c)));
    return 0;
}
