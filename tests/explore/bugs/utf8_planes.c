// A UTF-8 decoder that lets through code points above the last plane.
//@ explore: --sym-stdin 5
//@ outcome: out-of-bounds
//@ stack: count main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: U\xf5\x80\x80\x80
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00
#include <stdio.h>

static int planes[17];

static int continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

/* The code point at `at`, or -1; its length in `length`. */
static long decode(const unsigned char *at, int left, int *length) {
    unsigned char lead = at[0];
    int more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : -1;
    if (more < 0 || more >= left || lead >= 0xf8) return -1;
    long point = more == 0 ? lead : lead & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
        if (!continuation(at[i])) return -1;
        point = point << 6 | (at[i] & 0x3f);
    }
    if (more == 2 && point < 0x800) return -1;
    if (more == 3 && point < 0x10000) return -1;
    if (point >= 0xd800 && point < 0xe000) return -1;
    *length = more + 1;
    return point;
}

static void count(long point) {
    planes[point >> 16]++; // ERROR
}

int main(void) {
    unsigned char input[5];
    int size = (int)fread(input, 1, sizeof input, stdin), length;
    if (size == 0 || input[0] != 'U') return 1;
    for (int at = 1; at < size; at += length) {
        long point = decode(input + at, size - at, &length);
        if (point < 0) {
            puts("malformed");
            return 2;
        }
        count(point);
    }
    printf("%d\n", planes[0]);
    return 0;
}
