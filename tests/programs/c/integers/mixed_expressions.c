// Operator precedence, sequencing, compound assignment with conversions and the comma operator.
#include <stdint.h>
#include <stdio.h>

static int trace_count;
static int trace(int value) { return trace_count++, value; }

int main(void) {
    int a = 5, b = -3;
    printf("%d %d %d %d\n", a - b * 2 << 1, a & 3 == 3, a | b ^ 1 & 7, -a % 3 + !b);
    printf("%d %d\n", a++ + 1 - --b, a--);
    unsigned char c = 250;
    c += 10, printf("%d ", c);
    c -= 20, printf("%d ", c);
    c *= 3, printf("%d ", c);
    c /= 1.5, printf("%d ", c);
    c = (unsigned char)~c, printf("%d ", c);
    c %= 7, printf("%d\n", c);
    short s = 1000;
    s *= 40, printf("%d ", s);
    s ^= 0x5555, printf("%d ", s);
    s >>= 3, printf("%d\n", s);
    int i = 7;
    i += 0.9, printf("%d ", i);
    i *= 1.5, printf("%d ", i);
    i -= -2.6, printf("%d\n", i);
    int x = trace(0) && trace(1) || trace(2) && !trace(3);
    printf("%d %d\n", x, trace_count);
    int y = trace(1) ? trace(5) : trace(6), z = (trace(1), trace(2), trace(9));
    printf("%d %d %d\n", y, z, trace_count);
    uint32_t state = 12345, sum = 0;
    for (int k = 0; k < 1000; k++) {
        state = state * 1103515245 + 12345;
        int p = (int)(state >> 16 & 0xff) - 128, q = (int)(state >> 8 & 0x7f) + 1;
        sum = sum * 17 + (uint32_t)(p / q) + (uint32_t)(p % q) * 5 + (uint32_t)(p * 2 < q << (q & 3))
            + (uint32_t)((p & q) - (p | q) * (p ^ q)) + (p > q ? 3u : p == -q ? 5u : 7u);
    }
    printf("%u\n", sum);
    return 0;
}
