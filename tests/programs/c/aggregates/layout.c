// Sizes, alignments and offsets; packed and over-aligned types; arrays of structs; padding.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct loose { char a; double b; char c; int d; short e; };
struct __attribute__((packed)) tight { char a; double b; char c; int d; short e; };
struct wide { char a; alignas(32) char b; };
struct outer { char tag; struct tight inner; struct loose plain; union { char c; long l; } u; };
typedef struct { uint8_t kind; uint16_t length; uint32_t offset; } __attribute__((packed)) header;

#define SHOW(type, member) printf(#type "." #member " %zu\n", offsetof(struct type, member))

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct loose), sizeof(struct tight), sizeof(struct wide), sizeof(struct outer));
    printf("%zu %zu %zu %zu\n", alignof(struct loose), alignof(struct tight), alignof(struct wide), alignof(struct outer));
    SHOW(loose, b); SHOW(loose, c); SHOW(loose, d); SHOW(loose, e);
    SHOW(tight, b); SHOW(tight, c); SHOW(tight, d); SHOW(tight, e);
    SHOW(wide, b); SHOW(outer, inner); SHOW(outer, plain.d); SHOW(outer, u);
    struct tight t[3];
    for (int i = 0; i < 3; i++) t[i] = (struct tight){(char)i, i * 1.5, 'c', i << 20, (short)-i};
    unsigned char raw[sizeof t];
    memcpy(raw, t, sizeof t);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof raw; i++) sum = sum * 31 + raw[i];
    printf("%u %g %d\n", sum, t[2].b, t[1].d);
    static const uint8_t wire[] = {7, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 8, 1, 0, 2, 0, 0, 0};
    for (size_t at = 0; at < sizeof wire; at += sizeof(header)) {
        header h;
        memcpy(&h, wire + at, sizeof h);
        printf("%u %x %x\n", h.kind, h.length, h.offset);
    }
    struct wide w[2];
    alignas(64) char line[3];
    printf("%d %d %td\n", (int)((uintptr_t)&w[1].b % 32), (int)((uintptr_t)line % 64), &w[1].b - &w[0].b);
    return 0;
}
