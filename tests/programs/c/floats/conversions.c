// Conversions between floating types and integers of all widths.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0, -0.0, 0.5, -0.5, 0.999999999, 1.5, 2.5, -2.5, 127.9, 128, 255.5, -128.9, 32767.99, 65535.4,
                                    2147483647.0, 1e9, -2147483648.9, 16777217.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double d = values[i];
        float f = (float)d;
        printf("%a %a: %d %lld", d, (double)f, (int)d, (long long)d);
        if (d > -1) printf(" %u %llu", (unsigned)d, (unsigned long long)d);
        if (d > -129 && d < 128) printf(" %d", (signed char)d);
        if (d > -1 && d < 256) printf(" %d", (unsigned char)d);
        if (d > -32769 && d < 32768) printf(" %d", (short)d);
        putchar('\n');
    }
    static const int64_t integers[] = {0, 1, -1, 16777217, 16777219, 9007199254740993, 9007199254740995, INT64_MAX, INT64_MIN,
                                       INT64_MAX - 1023, INT64_MAX - 512, 0x4000004000000001, 0x4000004000000000};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        int64_t n = integers[i];
        printf("%lld: %a %a %a %a\n", (long long)n, (double)n, (double)(float)n, (double)(uint64_t)n, (double)(float)(uint64_t)n);
    }
    printf("%llu %llu\n", (unsigned long long)9223372036854775808.0, (unsigned long long)18446744073709549568.0);
    printf("%a %a %a\n", (double)(float)1e39, (double)(float)1e-46, (double)(float)1.0000001788139343);
    printf("%a %a\n", (double)(float)DBL_MIN, (double)(float)(FLT_MIN / 3.0));
    printf("%lld %ld %lld\n", llrint(2.5), lrint(-3.5), llround(-2.5));
    float accumulate = 0;
    for (int i = 0; i < 1000; i++) accumulate += 0.1f;
    printf("%a %.9g\n", (double)accumulate, (double)accumulate);
    return 0;
}
