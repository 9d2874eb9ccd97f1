// A block whose size depends on the input, used to its last byte.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: f
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int c = getchar();
    if (c < 'a' || c > 'h') return 1;
    size_t size = (size_t)(c - 'a') * 3 + 1;
    char *block = malloc(size);
    if (!block) return 2;
    memset(block, '.', size - 1);
    block[size - 1] = 0;
    if (size > 13) block[12] = '|';
    puts(block);
    free(block);
    return size % 2 ? 0 : 3;
}
