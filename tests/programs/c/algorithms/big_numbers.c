// Arbitrary precision: factorials, Fibonacci numbers, powers and division by small numbers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMBS = 60 };
struct big { uint32_t limb[LIMBS]; };

static void multiply(struct big *b, uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) carry += (uint64_t)b->limb[i] * by, b->limb[i] = (uint32_t)carry, carry >>= 32;
}
static void add(struct big *a, const struct big *b) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) carry += (uint64_t)a->limb[i] + b->limb[i], a->limb[i] = (uint32_t)carry, carry >>= 32;
}
static uint32_t divide(struct big *b, uint32_t by) {
    uint64_t rest = 0;
    for (int i = LIMBS; i-- > 0;) rest = rest << 32 | b->limb[i], b->limb[i] = (uint32_t)(rest / by), rest %= by;
    return (uint32_t)rest;
}
static int is_zero(const struct big *b) { for (int i = 0; i < LIMBS; i++) if (b->limb[i]) return 0; return 1; }
static void print(struct big b) {
    char text[LIMBS * 10 + 1], *p = text + sizeof text;
    *--p = 0;
    do { uint32_t r = divide(&b, 10); *--p = (char)('0' + r); } while (!is_zero(&b));
    puts(p);
}

int main(void) {
    struct big f = {{1}};
    for (uint32_t n = 1; n <= 200; n++) {
        multiply(&f, n);
        if (n % 50 == 0 || n == 25) print(f);
    }
    struct big a = {{0}}, b = {{1}};
    for (int n = 0; n < 500; n++) { struct big t = b; add(&b, &a), a = t; }
    print(a);
    struct big p = {{1}};
    for (int n = 0; n < 150; n++) multiply(&p, 7);
    print(p);
    printf("%u ", divide(&p, 1000000007u)), printf("%u\n", divide(&p, 3));
    return 0;
}
