// Many parameters of all types; evaluation through pointers; static and register storage.
#include <stdio.h>

static long long many(char a, short b, int c, long d, float e, double f, unsigned char g, long long h, float i, int j, double k, char l, double m,
                      double n, double o, double p, double q, short r) {
    return a + b * 2 + c * 3 + d * 4 + (int)(e * 5) + (int)(f * 6) + g * 7 + h * 8 + (int)(i * 9) + j * 10 + (int)(k * 11) + l * 12 +
           (int)(m + n * 2 + o * 3 + p * 4 + q * 5) + r * 13;
}
static int counter(void) { static int n = 40; return n++; }
static void swap(int *a, int *b) { int t = *a; *a = *b, *b = t; }
static int *larger(int *a, int *b) { return *a > *b ? a : b; }
static signed char narrow(int v) { return (signed char)v; }
static unsigned short narrow_unsigned(long v) { return (unsigned short)v; }
static float single(double d) { return (float)d; }
static void fill(int n, int v[static n]) { for (int i = 0; i < n; i++) v[i] = i * i; }
static int old_style(a, b) int a; char *b; { return a + b[0]; }
static inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

int main(void) {
    printf("%lld\n", many(-1, -300, 100000, -5000000000, 1.5f, 2.25, 255, 1LL << 40, -0.5f, 7, 8.75, 'x', 1, 2, 3, 4, 5, -9));
    printf("%d", counter());
    printf(" %d", counter());
    printf(" %d\n", counter());
    int a = 3, b = 9;
    swap(&a, &b);
    *larger(&a, &b) += 100;
    printf("%d %d\n", a, b);
    printf("%d %d %d %a\n", narrow(200), narrow(-129), narrow_unsigned(-2), (double)single(0.1));
    int squares[8];
    fill(8, squares);
    printf("%d %d\n", squares[7], old_style(1, "a"));
    register int total = 0;
    for (register int i = -50; i < 50; i++) total += clamp(i * i - 100, -60, 800);
    printf("%d\n", total);
    return 0;
}
