// sscanf: all conversions, widths, suppression, scansets, %n, failures.
#include <stdio.h>
#include <string.h>

int main(void) {
    int a = -1, b = -1, c = -1, n = 0;
    unsigned u;
    long l;
    short h;
    signed char hh;
    double d;
    float f;
    char s[20], t[20];
    int r;
    r = sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c), printf("%d %d %d %d\n", r, a, b, c);
    r = sscanf("777 0777 ff", "%o %i %x", &u, &a, &b), printf("%d %u %d %d\n", r, u, a, b);
    r = sscanf("12345678", "%3d%2d%n%d", &a, &b, &n, &c), printf("%d %d %d %d %d\n", r, a, b, n, c);
    r = sscanf("  word next", "%s%19s", s, t), printf("%d %s %s\n", r, s, t);
    r = sscanf("abcdef", "%3s%c%2c", s, t, t + 1), printf("%d %s %.3s\n", r, s, t);
    r = sscanf("key=value;rest", "%[^=]=%[^;]", s, t), printf("%d %s %s\n", r, s, t);
    r = sscanf("abc123", "%[a-z]%[0-9]", s, t), printf("%d %s %s\n", r, s, t);
    r = sscanf("]x", "%[]x]", s), printf("%d %s\n", r, s);
    r = sscanf("1.5 -2e3 .25", "%lf %f %lf", &d, &f, &d), printf("%d %g %g\n", r, d, f);
    r = sscanf("-7 300 9000000000", "%hhd %hd %ld", &hh, &h, &l), printf("%d %d %d %ld\n", r, hh, h, l);
    r = sscanf("1 2 3", "%*d %d %*d", &a), printf("%d %d\n", r, a);
    r = sscanf("10,20", "%d , %d", &a, &b), printf("%d %d %d\n", r, a, b);
    r = sscanf("10 20", "%d,%d", &a, &b), printf("%d %d\n", r, a);
    r = sscanf("x", "%d", &a), printf("%d\n", r);
    r = sscanf("", "%d", &a), printf("%d\n", r);
    r = sscanf("   ", "%s", s), printf("%d\n", r);
    r = sscanf("50% done", "%d%% %s", &a, s), printf("%d %d %s\n", r, a, s);
    r = sscanf("2024-02-29T12:34:56", "%4d-%2d-%2dT%*d:%2d", &a, &b, &c, &n), printf("%d %d %d %d %d\n", r, a, b, c, n);
    r = sscanf("  z", " %c", s), printf("%d %c\n", r, s[0]);
    r = sscanf("18446744073709551615 -5", "%lu %lld", (unsigned long *)&l, (long long *)&d), printf("%d %lu\n", r, (unsigned long)l);
    return 0;
}
