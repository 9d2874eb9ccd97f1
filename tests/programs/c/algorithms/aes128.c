// AES-128: S-box by field inversion, key schedule, encryption and decryption round trip.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t box[256], inverse_box[256], keys[11][16];
static uint8_t times(uint8_t a, uint8_t b) { uint8_t r = 0; for (; b; b >>= 1, a = (uint8_t)(a << 1 ^ (a & 128 ? 27 : 0))) if (b & 1) r ^= a; return r; }
static void make_boxes(void) {
    for (int i = 0; i < 256; i++) {
        uint8_t inverse = 0, s = 99;
        for (int j = 1; j < 256 && i; j++) if (times((uint8_t)i, (uint8_t)j) == 1) inverse = (uint8_t)j;
        for (int k = 0; k < 5; k++) s ^= (uint8_t)(inverse << k | inverse >> (8 - k));
        box[i] = s, inverse_box[s] = (uint8_t)i;
    }
}
static void schedule(const uint8_t key[16]) {
    uint8_t *w = keys[0], constant = 1;
    memcpy(w, key, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t t[4];
        memcpy(t, w + i - 4, 4);
        if (i % 16 == 0) {
            uint8_t first = t[0];
            t[0] = box[t[1]] ^ constant, t[1] = box[t[2]], t[2] = box[t[3]], t[3] = box[first], constant = times(constant, 2);
        }
        for (int k = 0; k < 4; k++) w[i + k] = w[i + k - 16] ^ t[k];
    }
}
static void add(uint8_t *s, int round) { for (int i = 0; i < 16; i++) s[i] ^= keys[round][i]; }
static void substitute_and_shift(uint8_t *s, const uint8_t *table, int direction) {
    uint8_t t[16];
    for (int c = 0; c < 4; c++) for (int r = 0; r < 4; r++) t[c * 4 + r] = table[s[((c + direction * r + 4) % 4) * 4 + r]];
    memcpy(s, t, 16);
}
static void mix(uint8_t *s, const uint8_t m[4]) {
    for (int c = 0; c < 16; c += 4) {
        uint8_t t[4];
        for (int r = 0; r < 4; r++) { t[r] = 0; for (int k = 0; k < 4; k++) t[r] ^= times(s[c + k], m[(k - r + 4) % 4]); }
        memcpy(s + c, t, 4);
    }
}
static void encrypt(uint8_t *s) {
    add(s, 0);
    for (int r = 1; r <= 10; r++) { substitute_and_shift(s, box, 1); if (r < 10) mix(s, (const uint8_t[]){2, 3, 1, 1}); add(s, r); }
}
static void decrypt(uint8_t *s) {
    for (int r = 10; r >= 1; r--) { add(s, r); if (r < 10) mix(s, (const uint8_t[]){14, 11, 13, 9}); substitute_and_shift(s, inverse_box, -1); }
    add(s, 0);
}
static void print(const uint8_t *s) { for (int i = 0; i < 16; i++) printf("%02x", s[i]); putchar('\n'); }

int main(void) {
    uint8_t key[16], block[16], original[16];
    make_boxes();
    for (int i = 0; i < 16; i++) key[i] = (uint8_t)i, block[i] = (uint8_t)(i * 17);
    schedule(key), memcpy(original, block, 16);
    encrypt(block), print(block);
    for (int i = 0; i < 20; i++) encrypt(block);
    print(block);
    for (int i = 0; i < 21; i++) decrypt(block);
    print(block), printf("%d\n", memcmp(block, original, 16));
    return 0;
}
