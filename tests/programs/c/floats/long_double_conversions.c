// long double to and from integers, float, double and text.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(long double v) {
    unsigned char raw[16];
    memcpy(raw, &v, 16);
    for (int i = 9; i >= 0; i--) printf("%02x", raw[i]);
    putchar(' ');
}

int main(void) {
    static const char *texts[] = {"0", "-0", "1", "0.1", "3.14159265358979323846264338327950288", "1e4000", "-1e-4000", "0x1.8p3",
                                  "18446744073709551617", "123456789012345678901234567890", "1e4933", "inf", "0x1.fffffffffffffffp0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        long double v = strtold(texts[i], &end);
        show(v);
        printf("%d %.18Lf %.18Le %Lg\n", *end, i == 5 || i == 6 ? 0.0L : v, v, v);
    }
    static const int64_t integers[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1234567890123456789};
    for (size_t i = 0; i < 6; i++) {
        long double v = integers[i], u = (uint64_t)integers[i];
        show(v), show(u);
        printf("%lld %llu %a %a\n", (long long)v, (unsigned long long)u, (double)v, (double)(float)u);
    }
    long double v = -1234.75L;
    printf("%d %d %ld %d %u\n", (int)v, (short)v, (long)v, (signed char)(v / 100), (unsigned)-v);
    printf("%a %a\n", (double)(1.0L + 0x1p-60L), (double)(1.0L + 0x1.8p-53L));
    show((float)0.1L), show((double)0.1L), show(0.1f), show((__int128)1 << 100);
    putchar('\n');
    printf("%10.3Lf|%-15.5Le|%+Lg|%015.2Lf\n", v, v, -v, v);
    long double parsed[2];
    printf("%d\n", sscanf("2.5e10 -0x.8p1", "%Lf %Lg", &parsed[0], &parsed[1]));
    show(parsed[0]), show(parsed[1]);
    putchar('\n');
    return 0;
}
