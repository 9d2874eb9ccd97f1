// 16.16 fixed point: multiplication, division, square root, saturation, sine by rotation.
#include <stdint.h>
#include <stdio.h>

typedef int32_t fixed;
#define ONE 65536
static fixed saturate(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (fixed)v; }
static fixed multiply(fixed a, fixed b) { return saturate(((int64_t)a * b + ONE / 2) >> 16); }
static fixed divide(fixed a, fixed b) { return b ? saturate((int64_t)a * ONE / b) : a < 0 ? INT32_MIN : INT32_MAX; }
static fixed root(fixed v) {
    uint64_t n = (uint64_t)(uint32_t)v << 16, r = 0;
    for (uint64_t bit = (uint64_t)1 << 46; bit; bit >>= 2) {
        if (n >= r + bit) n -= r + bit, r = (r >> 1) + bit; else r >>= 1;
    }
    return (fixed)r;
}
static void print(fixed v) {
    int64_t magnitude = v < 0 ? -(int64_t)v : v;
    printf("%s%lld.%04lld ", v < 0 ? "-" : "", (long long)(magnitude >> 16), (long long)((magnitude & 65535) * 10000 >> 16));
}

int main(void) {
    static const fixed values[] = {0, 1, ONE, -ONE, 3 * ONE / 2, -5 * ONE / 4, 100 * ONE, 30000 * ONE, -32768 * ONE, INT32_MAX};
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) print(multiply(values[i], values[j])), print(divide(values[i], values[j]));
        if (values[i] >= 0) print(root(values[i]));
        putchar('\n');
    }
    fixed x = ONE, y = 0;
    for (int i = 0; i < 64; i++) {
        y += multiply(x, ONE / 10), x -= multiply(y, ONE / 10);
        if (i % 8 == 7) print(x), print(y);
    }
    putchar('\n');
    return 0;
}
