// volatile, const, restrict, static arrays, large zero-initialised data, string sharing.
#include <stdio.h>
#include <string.h>

static volatile int port;
static const int primes[] = {2, 3, 5, 7, 11, 13};
static int zeros[100000];
static char table[256];
extern int defined_later;
static const char *const *list(void) { static const char *const words[] = {"x", "yy", "zzz", 0}; return words; }
static void copy(size_t n, int *restrict to, const int *restrict from) { while (n--) *to++ = *from++; }

int main(void) {
    for (int i = 0; i < 10; i++) port += i, port ^= port << 1;
    printf("%d\n", port);
    int copied[6];
    copy(6, copied, primes);
    long sum = 0;
    for (int i = 0; i < 6; i++) sum = sum * 17 + copied[i];
    for (int i = 0; i < 100000; i += 77) zeros[i] = i;
    for (int i = 0; i < 100000; i++) sum += zeros[i] ^ i & 3;
    printf("%ld %d\n", sum, defined_later);
    for (int i = 0; i < 256; i++) table[i] = (char)(i * 13);
    unsigned hash = 0;
    for (int i = 255; i >= 0; i--) hash = hash * 31 + (unsigned char)table[(unsigned char)table[i]];
    printf("%u\n", hash);
    for (const char *const *p = list(); *p; p++) printf("%s%zu ", *p, strlen(*p));
    const volatile long mixed = 12345678901;
    printf("%ld\n", mixed % 1000);
    return 0;
}
int defined_later = 88;
