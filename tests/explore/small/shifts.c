// Shifts by symbolic amounts, of signed and unsigned numbers of several widths.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: \x9d
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    unsigned amount = (unsigned char)c & 31;
    unsigned ones = 0xffffu << amount;
    int negative = -4096 >> amount;
    unsigned long wide = 1ul << (c & 63);
    if (ones == 0xffff0000u) puts("half");
    if (negative == -1) puts("all gone");
    if (wide > 1ul << 40) puts("wide");
    if ((signed char)((unsigned)c << 4) < 0) puts("sign");
    return 0;
}
