// Well-known bit manipulations, written without builtins and checked against plain loops.
#include <stdint.h>
#include <stdio.h>

static int popcount_loop(uint64_t x) { int n = 0; for (; x; x >>= 1) n += x & 1; return n; }
static int popcount_tree(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    return (int)(((x + (x >> 4) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56);
}
static uint32_t reverse32(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
static uint32_t rotate_left(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint32_t next_power(uint32_t x) {
    x--;
    x |= x >> 1, x |= x >> 2, x |= x >> 4, x |= x >> 8, x |= x >> 16;
    return x + 1;
}
static uint32_t gray(uint32_t x) { return x ^ x >> 1; }

int main(void) {
    uint64_t state = 88172645463325252u;
    uint32_t sum = 0;
    int mismatches = 0;
    for (int i = 0; i < 2000; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        mismatches += popcount_loop(state) != popcount_tree(state);
        uint32_t low = (uint32_t)state;
        mismatches += reverse32(reverse32(low)) != low;
        sum = rotate_left(sum, 5) ^ reverse32(low) + next_power(low >> 3);
        sum += gray(low) ^ (low & -low) ^ (low & low - 1);
    }
    printf("mismatches %d sum %08x state %016llx\n", mismatches, sum, (unsigned long long)state);
    for (uint32_t i = 0; i < 40; i += 3)
        printf("%u: %u %08x %08x %u\n", i, gray(i), reverse32(i), rotate_left(i | 0x80000000u, i), next_power(i));
    unsigned a = 0xdeadbeef, b = 0x12345678;
    a ^= b, b ^= a, a ^= b;
    printf("%x %x %d\n", a, b, (int)((a ^ b) >> 31));
    return 0;
}
