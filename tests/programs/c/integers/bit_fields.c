// Bit-fields: signed and unsigned, straddling, zero-width, in unions, with wraparound.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct mixed { unsigned a : 3; signed b : 5; unsigned c : 11; int d : 13; uint64_t e : 37; int64_t f : 27; };
struct split { uint8_t a : 4; uint8_t : 0; uint8_t b : 4; uint16_t c : 9; };
struct __attribute__((packed)) packed { unsigned a : 7; unsigned b : 17; unsigned long c : 33; };
union view { struct { uint32_t low : 12, middle : 8, high : 12; }; uint32_t word; };

static void dump(const char *name, const void *data, size_t size) {
    printf("%s", name);
    for (size_t i = 0; i < size; i++) printf(" %02x", ((const unsigned char *)data)[i]);
    putchar('\n');
}

int main(void) {
    struct mixed m;
    memset(&m, 0, sizeof m);
    m.a = 9, m.b = -9, m.c = 2047, m.d = -4096, m.e = 0x1122334455, m.f = -1;
    printf("%u %d %u %d %llx %lld %zu\n", m.a, m.b, m.c, m.d, (unsigned long long)m.e, (long long)m.f, sizeof m);
    dump("mixed", &m, sizeof m);
    for (int i = 0; i < 40; i++) m.a++, m.b++, m.c += 100, m.d -= 333, m.e *= 3, m.f = (int64_t)((uint64_t)m.f << 1);
    printf("%u %d %u %d %llx %lld\n", m.a, m.b, m.c, m.d, (unsigned long long)m.e, (long long)m.f);
    struct split s;
    memset(&s, 0, sizeof s);
    s.a = 15, s.b = 9, s.c = 511;
    dump("split", &s, sizeof s);
    struct packed p;
    memset(&p, 0, sizeof p);
    p.a = 0x55, p.b = 0x1abcd, p.c = 0x1deadbeefu;
    dump("packed", &p, sizeof p);
    printf("%x %x %lx %zu\n", p.a, p.b, (unsigned long)p.c, sizeof p);
    union view v = {.word = 0x12345678};
    printf("%x %x %x\n", v.low, v.middle, v.high);
    v.middle++, v.low = ~v.low;
    printf("%08x %d\n", v.word, v.low - 5000 < 0);
    return 0;
}
