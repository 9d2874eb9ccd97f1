// Every pair of 8-bit operands under every operator, signed and unsigned, hashed; 16-bit samples.
#include <stdint.h>
#include <stdio.h>

static uint32_t hash;
static void mix(int32_t v) { hash = (hash ^ (uint32_t)v) * 16777619u; }

int main(void) {
    for (int i = -128; i < 128; i++) {
        for (int j = -128; j < 128; j += 3) {
            int8_t a = (int8_t)i, b = (int8_t)j, r;
            uint8_t ua = (uint8_t)i, ub = (uint8_t)j, ur;
            r = (int8_t)(a + b), mix(r), r = (int8_t)(a - b), mix(r), r = (int8_t)(a * b), mix(r);
            ur = (uint8_t)(ua + ub), mix(ur), ur = (uint8_t)(ua - ub), mix(ur), ur = (uint8_t)(ua * ub), mix(ur);
            if (b) mix(a / b), mix(a % b), mix(ua / ub), mix(ua % ub);
            mix(a & b), mix(a | b), mix(a ^ b), mix(~a), mix(-ua), mix(!a);
            mix(a >> (ub & 7)), mix(ua >> (ub & 7)), mix((uint8_t)(ua << (ub & 7)));
            mix(a < b), mix(ua < ub), mix(a <= ub), mix(a == ua), mix((int8_t)ua == a);
        }
        if (i % 32 == 0) printf("%d %08x\n", i, hash);
    }
    for (uint32_t k = 0; k < 20000; k++) {
        int16_t a = (int16_t)(k * 40503u), b = (int16_t)(k * 30011u >> 3 | 1);
        uint16_t ua = (uint16_t)a, ub = (uint16_t)b;
        mix((int16_t)(a + b)), mix((int16_t)(a * b)), mix((uint16_t)(ua * 1u * ub)), mix(a / b), mix(ua % ub), mix(a >> (ub & 15)), mix(a < b), mix(ua < ub);
    }
    printf("%08x\n", hash);
    return 0;
}
