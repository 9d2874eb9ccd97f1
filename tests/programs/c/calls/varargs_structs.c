// Structs of several classes as variadic arguments.
#include <stdarg.h>
#include <stdio.h>

struct ints { int a, b, c; };
struct doubles { double x, y; };
struct both { double d; long l; };
struct big { long v[5]; };
struct tiny { char c; };

static double total(const char *types, ...) {
    va_list list;
    va_start(list, types);
    double sum = 0;
    for (; *types; types++) {
        switch (*types) {
        case 'i': { struct ints s = va_arg(list, struct ints); sum += s.a + s.b * 2 + s.c * 3; break; }
        case 'd': { struct doubles s = va_arg(list, struct doubles); sum += s.x - s.y; break; }
        case 'm': { struct both s = va_arg(list, struct both); sum += s.d * (double)s.l; break; }
        case 'b': { struct big s = va_arg(list, struct big); for (int i = 0; i < 5; i++) sum += (double)s.v[i]; break; }
        case 't': { struct tiny s = va_arg(list, struct tiny); sum += s.c; break; }
        case 'n': sum += va_arg(list, int); break;
        case 'f': sum += va_arg(list, double); break;
        }
        printf("%g ", sum);
    }
    va_end(list);
    putchar('\n');
    return sum;
}

int main(void) {
    struct ints i = {1, 2, 3};
    struct doubles d = {10.5, 0.25};
    struct both m = {1.5, 4};
    struct big b = {{1, 2, 3, 4, 5}};
    struct tiny t = {'A'};
    double sum = total("idmbt", i, d, m, b, t);
    sum += total("iiiidddddmm", i, i, i, i, d, d, d, d, d, m, m);
    sum += total("nfnfmnfb", 1, 2.0, 3, 4.0, m, 5, 6.0, b);
    sum += total("nnnnnmfffffffmft", 1, 1, 1, 1, 1, m, 1., 1., 1., 1., 1., 1., 1., m, 0.5, t);
    sum += total("bbtbn", b, b, t, b, 7);
    printf("%.3f\n", sum);
    return 0;
}
