// Writes through a null pointer.
//@ outcome: null-dereference
//@ stack: set main
//@ sanitizer: undefined
#include <stdio.h>

static void set(int *out, int value) {
    *out = value; // ERROR
}

int main(void) {
    int here;
    set(&here, 3);
    printf("%d\n", here);
    fflush(stdout);
    set(NULL, 4);
    return 0;
}
