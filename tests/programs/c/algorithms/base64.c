// Base64, hexadecimal and quoted-printable coding with round trips and rejected input.
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void encode(const unsigned char *in, size_t n, char *out) {
    for (; n >= 3; n -= 3, in += 3) {
        unsigned v = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
        for (int s = 18; s >= 0; s -= 6) *out++ = alphabet[v >> s & 63];
    }
    if (n) {
        unsigned v = (unsigned)in[0] << 16 | (n > 1 ? (unsigned)in[1] << 8 : 0);
        *out++ = alphabet[v >> 18], *out++ = alphabet[v >> 12 & 63], *out++ = n > 1 ? alphabet[v >> 6 & 63] : '=', *out++ = '=';
    }
    *out = 0;
}
static int decode(const char *in, unsigned char *out) {
    unsigned v = 0;
    int bits = 0, n = 0;
    for (; *in && *in != '='; in++) {
        const char *p = strchr(alphabet, *in);
        if (!p) return -1;
        v = v << 6 | (unsigned)(p - alphabet), bits += 6;
        if (bits >= 8) bits -= 8, out[n++] = (unsigned char)(v >> bits);
    }
    return n;
}
static void quoted(const char *in) {
    for (; *in; in++) if ((unsigned char)*in < 33 || *in == '=' || (unsigned char)*in > 126) printf("=%02X", (unsigned char)*in); else putchar(*in);
    putchar('\n');
}

int main(void) {
    static const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\x01\x80\xff~"};
    char coded[600];
    unsigned char back[400], data[400];
    for (int i = 0; i < 8; i++) {
        encode((const unsigned char *)texts[i], strlen(texts[i]), coded);
        int n = decode(coded, back);
        printf("%s %d %d\n", coded, n, memcmp(back, texts[i], (size_t)n));
    }
    int wrong = 0;
    unsigned hash = 0;
    for (size_t n = 0; n < 400; n += 7) {
        for (size_t i = 0; i < n; i++) data[i] = (unsigned char)(i * n + 3);
        encode(data, n, coded);
        wrong += decode(coded, back) != (int)n || memcmp(back, data, n);
        for (char *p = coded; *p; p++) hash = hash * 31 + (unsigned char)*p;
    }
    printf("%d %08x %d\n", wrong, hash, decode("ab*d", back));
    quoted("a=b c\xc3\xa9\n~");
    return 0;
}
