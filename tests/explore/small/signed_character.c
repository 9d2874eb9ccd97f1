// The same byte as a signed and an unsigned number, extended to several widths.
//@ explore: --sym-stdin 1
//@ run: high
//@ stdin: \x85
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    signed char s = (signed char)c;
    unsigned char u = (unsigned char)c;
    short wide = (short)(s * 256 + u);
    if (s < 0) puts("negative");
    if ((unsigned)s > 0xffffff00u && u < 0x90) puts("barely");
    if (wide == (short)0x8585) puts("twice 0x85");
    if ((unsigned short)s == u) puts("the same");
    return s == u ? 0 : 1;
}
