// An index that leaves its block by far: behind the block, below a block that was freed, or in no block.
//@ explore: --sym-stdin 2
//@ run: inside
//@ stdin: \x00\x05
//@ run: neither
//@ stdin: \x02\x00
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char input[2];
    if (fread(input, 1, 2, stdin) != 2) return 2;
    char *first = calloc(1, 16);
    char *second = calloc(1, 16);
    if (!first || !second) return 3;
    first[5] = 'x';
    free(second);
    unsigned long far;
    switch (input[0]) {
    case 0: far = input[1] % 16; break;
    case 1: far = (unsigned long)input[1] << 24; break;
    case 3: far = (unsigned long)input[1] << 40; break;
    default: return 4;
    }
    putchar(first[far] == 'x' ? 'x' : '-');
    putchar('\n');
    free(first);
    return 0;
}
