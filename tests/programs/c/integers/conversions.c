// Implicit and explicit conversions between all integer types.
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(value)                                                                                    \
    do {                                                                                               \
        long long v = (value);                                                                         \
        printf("%lld: %d %u %d %u %d %u %ld %lu %d\n", v, (signed char)v, (unsigned char)v, (short)v,  \
               (unsigned short)v, (int)v, (unsigned)v, (long)v, (unsigned long)v, (bool)v);            \
    } while (0)

static int widen(signed char c, unsigned char u) { return c + u; }

int main(void) {
    SHOW(0);
    SHOW(1);
    SHOW(-1);
    SHOW(127);
    SHOW(128);
    SHOW(255);
    SHOW(256);
    SHOW(-129);
    SHOW(32768);
    SHOW(65536);
    SHOW(INT_MAX);
    SHOW((long long)INT_MAX + 1);
    SHOW(UINT_MAX);
    SHOW(LLONG_MAX);
    SHOW(LLONG_MIN);
    printf("%d %d\n", widen(-1, 255), widen(-128, 128));
    unsigned char a = 200, b = 100;
    printf("%d %d %d\n", a + b, (unsigned char)(a + b), a - b - b - b);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (unsigned short)-1 > -1);
    printf("%d %d\n", (char)-1 < 0, '\xff' == 0xff);
    short s = -5;
    unsigned u = s;
    unsigned long ul = s;
    printf("%u %lu %d\n", u, ul, ~s);
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
    printf("%d %d\n", (int)sizeof(a + b), (int)sizeof(1 ? 1 : 1L));
    return 0;
}
