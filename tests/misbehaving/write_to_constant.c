// Writes to a const global through a cast.
//@ outcome: read-only-write
//@ stack: set main
//@ sanitizer: address
#include <stdio.h>

static const int limits[3] = {10, 20, 30};

static void set(const int *at, int value) {
    *(int *)at = value; // ERROR
}

int main(void) {
    printf("%d\n", limits[1]);
    fflush(stdout);
    set(&limits[1], 99);
    printf("%d\n", limits[1]);
    return 0;
}
