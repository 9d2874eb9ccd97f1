// Taking IEEE numbers apart and putting them together by hand, compared with the hardware result.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float from_bits(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static uint32_t to_bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static float compose(uint32_t u) {
    int exponent = (int)(u >> 23 & 255), sign = (int)(u >> 31);
    double mantissa = u & 0x7fffff;
    if (exponent == 255) return mantissa ? NAN : sign ? -INFINITY : INFINITY;
    double v = exponent ? ldexp(mantissa + 0x800000, exponent - 150) : ldexp(mantissa, -149);
    return (float)(sign ? -v : v);
}
static uint16_t to_half(float f) {
    uint32_t u = to_bits(f), sign = u >> 16 & 0x8000, m = u & 0x7fffff;
    int e = (int)(u >> 23 & 255) - 112;
    if (e >= 31) return (uint16_t)(sign | 0x7c00);
    if (e <= 0) return e < -10 ? (uint16_t)sign : (uint16_t)(sign | (m | 0x800000) >> (14 - e));
    return (uint16_t)(sign | (uint32_t)e << 10 | m >> 13);
}

int main(void) {
    uint32_t u = 1;
    int wrong = 0;
    unsigned halves = 0;
    for (int i = 0; i < 20000; i++) {
        u = u * 1664525 + 1013904223;
        float f = from_bits(u), g = compose(u);
        if (isnan(f) ? !isnan(g) : to_bits(f) != to_bits(g)) wrong++;
        if (!isnan(f)) halves = halves * 31 + to_half(f);
    }
    printf("wrong %d halves %08x\n", wrong, halves);
    for (uint32_t e = 0; e < 256; e += 17) printf("%a ", (double)from_bits(e << 23 | 0x1234));
    printf("\n%08x %08x %08x\n", to_bits(0.1f), to_bits(-0.0f), to_bits(16777216.0f));
    union { double d; uint64_t u; struct { uint32_t low, high; } half; } v = {.d = -6.25};
    printf("%016llx %08x %08x\n", (unsigned long long)v.u, v.half.low, v.half.high);
    v.half.high ^= 0x80000000u, v.u++;
    printf("%a\n", v.d);
    return 0;
}
