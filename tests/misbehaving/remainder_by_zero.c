// Remainder by the size of an empty table.
//@ outcome: division-by-zero
//@ stack: bucket main
//@ sanitizer: undefined
#include <stdio.h>

struct table { unsigned long capacity; };

static unsigned long bucket(const struct table *t, unsigned long hash) {
    return hash % t->capacity; // ERROR
}

int main(void) {
    struct table ready = {7}, empty = {0};
    printf("%lu\n", bucket(&ready, 100));
    fflush(stdout);
    printf("%lu\n", bucket(&empty, 100));
    return 0;
}
