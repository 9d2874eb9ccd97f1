// Shifts of all widths: arithmetic and logical right shifts, every in-range count.
#include <stdint.h>
#include <stdio.h>

static uint64_t checksum = 1469598103934665603u;
static void add(uint64_t value) { checksum = (checksum ^ value) * 1099511628211u; }

int main(void) {
    static const int64_t values[] = {0, 1, -1, 2, -2, 127, -128, 255, 32767, -32768, 65535, 2147483647,
                                     -2147483648LL, 4294967295LL, INT64_MAX, INT64_MIN, 0x123456789abcdefLL};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned n = 0; n < 64; n++) {
            add((uint64_t)values[i] << n);
            add((uint64_t)values[i] >> n);
            add((uint64_t)(values[i] >> n));
            if (n < 32) {
                add((uint32_t)values[i] << n);
                add((uint32_t)values[i] >> n);
                add((uint64_t)((int32_t)values[i] >> n));
            }
            if (n < 16) add((uint64_t)((int16_t)values[i] >> n));
            if (n < 8) add((uint64_t)((int8_t)values[i] >> n));
        }
        printf("%2zu %016llx\n", i, (unsigned long long)checksum);
    }
    volatile int count = 31;
    printf("%d %u %lld\n", -1 >> count, 1u << count, (long long)(INT64_MIN >> (count * 2)));
    unsigned char c = 0x81;
    printf("%d %d\n", c << 1, (unsigned char)(c << 1));
    c <<= 3, printf("%d\n", c);
    c >>= 2, printf("%d\n", c);
    return 0;
}
