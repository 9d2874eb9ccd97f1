// strtol, strtoul, strtoll, strtoull: bases, prefixes, overflow, end pointer and errno.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const char *texts[] = {"0", "42", "-42", "+7", "  \t\n12abc", "0x1F", "0X", "0xg", "077", "08", "z", "-z", "", "-", "+-3", "9223372036854775807",
                                  "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
                                  "18446744073709551616", "-1", "-18446744073709551616", "1e5", "0b11x"};
    static const int bases[] = {10, 16, 8, 36, 2, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t b = 0; b < 6; b++) {
            if (b >= 4 && texts[i][0] == '0' && texts[i][1] == 'b') continue;
            char *end, *uend;
            errno = 0;
            long v = strtol(texts[i], &end, bases[b]);
            int range = errno == ERANGE;
            errno = 0;
            unsigned long u = strtoul(texts[i], &uend, bases[b]);
            printf("%zu/%d %ld %td %d %lu %td %d\n", i, bases[b], v, end - texts[i], range, u, uend - texts[i], errno == ERANGE);
        }
    printf("%lld %llu\n", strtoll("-7fffffffffffffff", NULL, 16), strtoull("1777777777777777777777", NULL, 8));
    printf("%d %ld %lld\n", atoi("  -99 bottles"), atol("123456789012"), atoll("-5"));
    return 0;
}
