// Writes to a buffer after its owner released it.
//@ outcome: use-after-free
//@ stack: update main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct account { long balance; };

static void close_account(struct account *a) { free(a); }
static void update(struct account *a, long by) {
    a->balance = by; // ERROR
}

int main(void) {
    struct account *a = malloc(sizeof *a);
    update(a, 10);
    printf("%ld\n", a->balance);
    close_account(a);
    update(a, 20);
    return 0;
}
