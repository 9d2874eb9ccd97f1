// Reading and writing integers of all widths in both byte orders; variable-length integers.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t read_big(const unsigned char *p, int n) { uint64_t v = 0; for (int i = 0; i < n; i++) v = v << 8 | p[i]; return v; }
static uint64_t read_little(const unsigned char *p, int n) { uint64_t v = 0; while (n--) v = v << 8 | p[n]; return v; }
static int write_varint(uint64_t v, unsigned char *out) { int n = 0; do out[n] = (unsigned char)((v & 127) | (v > 127) << 7), v >>= 7; while (out[n++] & 128); return n; }
static uint64_t read_varint(const unsigned char *p) { uint64_t v = 0; for (int s = 0;; s += 7) { v |= (uint64_t)(*p & 127) << s; if (!(*p++ & 128)) return v; } }
static uint64_t zigzag(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
static int64_t unzigzag(uint64_t v) { return (int64_t)(v >> 1 ^ -(v & 1)); }

int main(void) {
    unsigned char raw[16];
    for (int i = 0; i < 16; i++) raw[i] = (unsigned char)(i * 17 + 3);
    for (int n = 1; n <= 8; n++)
        for (int at = 0; at < 4; at++) {
            uint64_t native = 0;
            memcpy(&native, raw + at, (size_t)n);
            printf("%d %llx %llx %d\n", n, (unsigned long long)read_big(raw + at, n), (unsigned long long)read_little(raw + at, n), native == read_little(raw + at, n));
        }
    printf("%x %x %d\n", htonl(0x11223344), htons(0x5566), ntohl(htonl(77)) == 77);
    int wrong = 0, bytes = 0;
    for (int shift = 0; shift < 64; shift++)
        for (int d = -2; d <= 2; d++) {
            int64_t v = (int64_t)(((uint64_t)1 << shift) + (uint64_t)(int64_t)d);
            unsigned char coded[10];
            bytes += write_varint(zigzag(v), coded);
            wrong += unzigzag(read_varint(coded)) != v;
        }
    printf("%d %d\n", wrong, bytes);
    struct in_addr address;
    printf("%d %x %s\n", inet_aton("192.168.1.200", &address), ntohl(address.s_addr), inet_ntoa(address));
    printf("%d %d\n", inet_pton(AF_INET, "1.2.3.4", &address), inet_pton(AF_INET, "1.2.3.256", &address));
    return 0;
}
