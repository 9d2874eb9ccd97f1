// Run-length decoding: the sum of the counts is kept in a byte, and wraps.
//@ explore: --sym-stdin 8
//@ outcome: out-of-bounds
//@ stack: expand main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: RL\x0aa\xfab\x00\x00
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>

static char output[16];

static int expand(const unsigned char *at, const unsigned char *end) {
    unsigned char total = 0;
    int written = 0;
    while (end - at >= 2 && at[0] != 0) {
        unsigned char count = at[0];
        total += count;
        if (total > sizeof output) return -1;
        for (int i = 0; i < count; i++) output[written++] = (char)at[1]; // ERROR
        at += 2;
    }
    return written;
}

int main(void) {
    unsigned char input[8];
    size_t size = fread(input, 1, sizeof input, stdin);
    if (size < 4 || input[0] != 'R' || input[1] != 'L') return 1;
    int written = expand(input + 2, input + size);
    if (written < 0) {
        puts("too long");
        return 2;
    }
    fwrite(output, 1, (size_t)written, stdout);
    putchar('\n');
    return 0;
}
