// Counting, isolating and reversing bits without loops over the value.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: X
#include <stdio.h>

static unsigned ones(unsigned x) {
    x = (x & 0x55) + (x >> 1 & 0x55);
    x = (x & 0x33) + (x >> 2 & 0x33);
    return (x & 0x0f) + (x >> 4);
}

static unsigned reversed(unsigned x) {
    x = (x & 0xf0) >> 4 | (x & 0x0f) << 4;
    x = (x & 0xcc) >> 2 | (x & 0x33) << 2;
    return (x & 0xaa) >> 1 | (x & 0x55) << 1;
}

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    unsigned x = (unsigned char)c;
    if (x && !(x & (x - 1))) puts("one bit");
    if (ones(x) > 5) puts("many bits");
    if (reversed(x) == x) puts("symmetric");
    if ((x & -x) == 8) puts("starts at 3");
    return 0;
}
