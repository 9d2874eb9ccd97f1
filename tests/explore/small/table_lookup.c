// A read at a symbolic index, and a branch on what was read.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: 7
#include <stdio.h>

static const signed char kinds[16] = {0, 3, 3, 1, -2, 0, 7, 7, 1, 1, 0, 3, -2, 9, 0, 1};
static const char *const names[3] = {"low", "middle", "high"};

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int kind = kinds[c & 15];
    if (kind < 0) return 1;
    if (kind == 9) return 2;
    puts(names[kind > 2 ? 2 : kind]);
    return kind == 7 && c > 'a' ? 4 : 0;
}
