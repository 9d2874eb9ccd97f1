// clz, ctz, popcount, parity, ffs, clrsb and bswap for every single-bit and many mixed values.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint64_t sum = 0;
    for (int i = 0; i < 64; i++) {
        uint64_t x = (uint64_t)1 << i;
        for (int k = 0; k < 3; k++) {
            uint64_t v = k == 0 ? x : k == 1 ? x | 1 : x * 0x9e3779b97f4a7c15u | x;
            sum = sum * 131 + (uint64_t)__builtin_clzll(v) + 64 * (uint64_t)__builtin_ctzll(v);
            sum = sum * 131 + (uint64_t)__builtin_popcountll(v) + 64 * (uint64_t)__builtin_parityll(v);
            sum = sum * 131 + (uint64_t)__builtin_ffsll((long long)v) + (uint64_t)__builtin_clrsbll((long long)v);
            sum ^= __builtin_bswap64(v);
            uint32_t w = (uint32_t)v;
            if (w) {
                sum = sum * 131 + (uint64_t)__builtin_clz(w) + 64 * (uint64_t)__builtin_ctz(w);
                sum += (uint64_t)__builtin_popcount(w) * 3 + (uint64_t)__builtin_parity(w);
                sum ^= __builtin_bswap32(w) + __builtin_bswap16((uint16_t)w);
            }
            sum += (uint64_t)__builtin_ffs((int)w);
        }
        if (i % 9 == 0) printf("%d %016llx\n", i, (unsigned long long)sum);
    }
    printf("%d %d %d\n", __builtin_clz(1), __builtin_ctz(0x80000000u), __builtin_ffs(0));
    printf("%d %d %d\n", __builtin_clrsb(-1), __builtin_clrsb(0), __builtin_clrsb(0x40000000));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678),
           (unsigned long long)__builtin_bswap64(0x0123456789abcdefu));
    printf("%02x %08x\n", __builtin_bitreverse8(0x13), __builtin_bitreverse32(0x13));
    printf("%08x %016llx\n", __builtin_rotateleft32(0x80000001u, 4),
           (unsigned long long)__builtin_rotateright64(0x8000000000000001u, 12));
    return 0;
}
