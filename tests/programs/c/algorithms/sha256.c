// SHA-256 of several messages, block by block.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t constants[64], initial[8];
static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

// The constants are the first 32 fraction bits of cube and square roots of primes: found by integer search.
static uint32_t root_fraction(unsigned prime, int power) {
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 37;
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2;
        unsigned __int128 value = power == 2 ? middle * middle : middle * middle * middle;
        if (value <= (unsigned __int128)prime << (power == 2 ? 64 : 96)) low = middle; else high = middle;
    }
    return (uint32_t)low;
}
static void block(uint32_t h[8], const unsigned char *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[i * 4] << 24 | (uint32_t)p[i * 4 + 1] << 16 | (uint32_t)p[i * 4 + 2] << 8 | p[i * 4 + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) + (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t a = v[0], e = v[4];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1, v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}
static void digest(const char *text, size_t n) {
    unsigned char tail[128] = {0};
    uint32_t h[8];
    memcpy(h, initial, sizeof h);
    size_t full = n / 64 * 64, rest = n - full, padded = rest < 56 ? 64 : 128;
    for (size_t at = 0; at < full; at += 64) block(h, (const unsigned char *)text + at);
    memcpy(tail, text + full, rest);
    tail[rest] = 0x80;
    for (int i = 0; i < 8; i++) tail[padded - 1 - (size_t)i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
    for (size_t at = 0; at < padded; at += 64) block(h, tail + at);
    for (int i = 0; i < 8; i++) printf("%08x", h[i]);
    putchar('\n');
}

int main(void) {
    unsigned prime = 2;
    for (int i = 0; i < 64; prime++) {
        int composite = 0;
        for (unsigned d = 2; d * d <= prime; d++) composite |= prime % d == 0;
        if (composite) continue;
        if (i < 8) initial[i] = root_fraction(prime, 2);
        constants[i++] = root_fraction(prime, 3);
    }
    digest("", 0), digest("abc", 3);
    char text[1000];
    for (int i = 0; i < 1000; i++) text[i] = (char)('a' + i % 26);
    for (size_t n = 54; n < 66; n++) digest(text, n);
    digest(text, 1000);
    return 0;
}
