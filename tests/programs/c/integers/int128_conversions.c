// __int128 to and from every other type, in structs and as an argument among others.
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
struct pair { char tag; i128 value; };

static void show(const char *name, i128 v) {
    printf("%s %016llx%016llx\n", name, (unsigned long long)((u128)v >> 64), (unsigned long long)v);
}
static i128 sum(int a, i128 b, char c, i128 d, double e, i128 f) { return a + b + c + d + (i128)e + f; }
static struct pair make(int n) { return (struct pair){(char)('a' + n), ((i128)n << 90) - n}; }

int main(void) {
    show("char", (signed char)-3);
    show("unsigned", 0xffffffffu);
    show("int64", INT64_MIN);
    show("uint64", UINT64_MAX);
    show("double", (i128)1e30);
    show("negative double", (i128)-1.5e35);
    show("float", (i128)-16777216.0f);
    i128 big = ((i128)1 << 100) + ((i128)1 << 40) + 1;
    printf("%.17g %.9g %.0f\n", (double)big, (double)(float)big, (double)-big);
    printf("%.0f %.0f\n", (double)(u128)-1, (double)((u128)-1 >> 75));
    printf("%d %d %lld %d\n", (int)big, (short)(big >> 40), (long long)(big >> 37), !!(big >> 41));
    show("sum", sum(1, big, 'x', -big * 2, 3.99, INT64_MAX));
    printf("%zu %zu\n", sizeof(struct pair), _Alignof(struct pair));
    for (int i = 0; i < 4; i++) {
        struct pair p = make(i * 5);
        putchar(p.tag), show(" pair", p.value);
    }
    i128 table[3] = {1, -1, big};
    for (i128 *p = table; p != table + 3; p++) show("table", *p), *p ^= big;
    show("xor", table[0] ^ table[1] ^ table[2]);
    return 0;
}
