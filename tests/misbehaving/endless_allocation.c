// Allocates and keeps memory for ever: ends at the memory limit.
//@ outcome: memory-limit
//@ stack: grow main
//@ sanitizer: none(would exhaust the memory of the host)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block { struct block *next; char data[(1 << 26) - 64]; };

static struct block *grow(struct block *last) {
    struct block *b = malloc(sizeof *b); // ERROR
    if (!b) exit(9);
    memset(b->data, 1, sizeof b->data); // ERROR
    b->next = last; // ERROR
    return b;
}

int main(void) {
    struct block *all = NULL;
    for (;;) all = grow(all);
}
