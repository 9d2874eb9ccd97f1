// Frees the same block twice, by two owners.
//@ outcome: double-free
//@ stack: destroy main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct holder { char *data; };

static void destroy(struct holder *h) {
    free(h->data); // ERROR
}

int main(void) {
    struct holder first = {malloc(24)}, second = first;
    destroy(&first);
    puts("first destroyed");
    fflush(stdout);
    destroy(&second);
    return 0;
}
