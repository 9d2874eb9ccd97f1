// Quotient and remainder for all sign combinations and widths.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const int values[] = {1, -1, 2, -2, 3, -3, 7, -7, 10, -10, 100, -100, 2147483647, -2147483647};
    const int n = sizeof values / sizeof *values;
    uint32_t sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int q = values[i] / values[j], r = values[i] % values[j];
            if (q * values[j] + r != values[i]) printf("broken identity\n");
            sum = sum * 33 + (uint32_t)q * 7 + (uint32_t)r;
            if (abs(values[i]) <= 10 && abs(values[j]) <= 3)
                printf("%d/%d=%d,%d ", values[i], values[j], q, r);
        }
    printf("\nsum %u\n", sum);
    volatile int64_t big = INT64_MIN;
    volatile uint64_t ubig = UINT64_MAX;
    for (int64_t d = -9; d <= 9; d++) {
        if (d == 0 || d == -1) continue;
        printf("%lld %lld %llu %llu\n", (long long)(big / d), (long long)(big % d),
               (unsigned long long)(ubig / (uint64_t)d), (unsigned long long)(ubig % (uint64_t)d));
    }
    volatile signed char sc = -128;
    volatile short ss = -32768;
    printf("%d %d %d %d\n", sc / -1, sc % -1, ss / -1, ss % -1);
    volatile unsigned u = 7;
    volatile int negative = -7;
    printf("%u %u %d\n", u / 2u, negative / u, (int)(negative % 2));
    return 0;
}
