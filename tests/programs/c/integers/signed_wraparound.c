// Wraparound of every unsigned width, and of signed widths through conversion.
#include <stdint.h>
#include <stdio.h>

static uint32_t hash;
static void mix(int64_t value) { hash = hash * 31 + (uint32_t)value + (uint32_t)(value >> 32); }

int main(void) {
    uint8_t b = 250;
    uint16_t h = 65530;
    uint32_t w = 4294967290u;
    uint64_t d = UINT64_MAX - 5;
    for (int i = 0; i < 12; i++) {
        printf("%d: %u %u %u %llu\n", i, b, h, w, (unsigned long long)d);
        mix(b), mix(h), mix(w), mix((int64_t)d);
        b++, h++, w++, d++;
    }
    int8_t sb = 120;
    int16_t sh = 32760;
    for (int i = 0; i < 16; i++) {
        sb = (int8_t)(sb + 1);
        sh = (int16_t)(sh + 1);
        mix(sb), mix(sh);
        printf("%d %d\n", sb, sh);
    }
    int32_t sw = (int32_t)((uint32_t)INT32_MAX + 1u);
    int64_t sd = (int64_t)((uint64_t)INT64_MAX + 1u);
    printf("%d %lld\n", sw, (long long)sd);
    printf("%u %u\n", (unsigned)(uint8_t)-1, (unsigned)(uint16_t)-1);
    printf("%llu\n", (unsigned long long)(0 - (uint64_t)1));
    printf("hash %08x\n", hash);
    return 0;
}
