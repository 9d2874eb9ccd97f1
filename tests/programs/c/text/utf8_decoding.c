// A hand-written UTF-8 decoder and encoder with strict checks, on stdin bytes.
//@ stdin: ASCII \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 bad:\xff\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 cut \xe2\x82
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int decode(const unsigned char *p, size_t n, uint32_t *out) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
    if (!length || (size_t)length > n) return -1;
    uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (p[i] >> 6 != 2) return -1;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return -1;
    *out = c;
    return length;
}
static int encode(uint32_t c, unsigned char *out) {
    if (c < 0x80) return out[0] = (unsigned char)c, 1;
    int length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) out[i] = (unsigned char)(0x80 | (c & 0x3f)), c >>= 6;
    out[0] = (unsigned char)((0xf00 >> length & 0xff) | c);
    return length;
}

int main(void) {
    unsigned char input[200];
    size_t n = fread(input, 1, sizeof input, stdin), at = 0;
    int good = 0, bad = 0, mismatch = 0;
    while (at < n) {
        uint32_t c;
        int length = decode(input + at, n - at, &c);
        if (length < 0) { printf("!%02x ", input[at++]), bad++; continue; }
        unsigned char again[4];
        mismatch += encode(c, again) != length || memcmp(again, input + at, (size_t)length);
        if (c > 127) printf("U+%04X ", c);
        at += (size_t)length, good++;
    }
    printf("\n%zu %d %d %d\n", n, good, bad, mismatch);
    int wrong = 0;
    for (uint32_t c = 0; c < 0x110000; c += 37) {
        unsigned char buffer[4];
        uint32_t back = 0;
        int length = encode(c, buffer), result = decode(buffer, (size_t)length, &back);
        wrong += c >= 0xd800 && c < 0xe000 ? result != -1 : back != c;
    }
    printf("%d\n", wrong);
    return 0;
}
