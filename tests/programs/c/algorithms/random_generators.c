// Four pseudo-random generators with 32- and 64-bit state, and statistics over them.
#include <stdint.h>
#include <stdio.h>

static uint64_t splitmix_state = 1;
static uint64_t splitmix(void) {
    uint64_t z = splitmix_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static uint64_t s[4];
static uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }
static uint64_t xoshiro(void) {
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = rotate(s[3], 45);
    return result;
}
static uint64_t pcg_state = 0x853c49e6748fea9bu;
static uint32_t pcg(void) {
    uint64_t old = pcg_state;
    pcg_state = old * 6364136223846793005u + 0xda3e39cb94b95bdbu;
    uint32_t x = (uint32_t)((old >> 18 ^ old) >> 27), r = (uint32_t)(old >> 59);
    return x >> r | x << (-r & 31);
}
static uint32_t twister[624];
static int twister_at = 624;
static uint32_t mersenne(void) {
    if (twister_at == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (twister[i] & 0x80000000u) | (twister[(i + 1) % 624] & 0x7fffffffu);
            twister[i] = twister[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        twister_at = 0;
    }
    uint32_t y = twister[twister_at++];
    y ^= y >> 11, y ^= y << 7 & 0x9d2c5680u, y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

int main(void) {
    for (int i = 0; i < 4; i++) s[i] = splitmix();
    twister[0] = 5489;
    for (uint32_t i = 1; i < 624; i++) twister[i] = 1812433253u * (twister[i - 1] ^ twister[i - 1] >> 30) + i;
    int buckets[10] = {0}, inside = 0;
    uint32_t last = 0;
    for (int i = 0; i < 10000; i++) {
        last = mersenne();
        buckets[(uint64_t)pcg() * 10 >> 32]++;
        double x = (double)(xoshiro() >> 11) * 0x1p-53, y = (double)(splitmix() >> 11) * 0x1p-53;
        inside += x * x + y * y < 1;
    }
    printf("%u %d\n", last, inside);
    for (int i = 0; i < 10; i++) printf("%d ", buckets[i]);
    printf("\n%016llx %016llx %08x\n", (unsigned long long)splitmix(), (unsigned long long)xoshiro(), pcg());
    return 0;
}
