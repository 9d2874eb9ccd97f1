// Sums that wrap around at 8, 16 and 32 bits.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: \xc8
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    unsigned char byte = (unsigned char)(c + 100);
    unsigned short half = (unsigned short)(c * 300);
    unsigned word = (unsigned)c * 0x01010101u + 0x40404040u;
    if (byte < c) puts("byte wrapped");
    if (half < 300 && c > 1) puts("half wrapped");
    if (word < 0x40404040u) puts("word wrapped");
    if (word - 1 > word) puts("word is zero");
    return 0;
}
