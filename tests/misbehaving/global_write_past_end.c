// Writes past a global counter array through a pointer.
//@ outcome: out-of-bounds
//@ stack: count main
//@ sanitizer: address
//@ stdin: hello\xff
#include <stdio.h>

static int frequency[128];

static void count(int *table, int symbol) {
    table[symbol]++; // ERROR
}

int main(void) {
    for (int c; (c = getchar()) != EOF;) count(frequency, c == 255 ? 128 : c);
    printf("%d\n", frequency['l']);
    return 0;
}
