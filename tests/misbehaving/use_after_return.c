// Reads a local variable of a function that has returned.
//@ outcome: use-after-return
//@ stack: show main
//@ sanitizer: address
#include <stdio.h>

static int *remember(int *p) { return p; }
static int *make(int value) {
    int local[4] = {value, value + 1, value + 2, value + 3};
    return remember(local);
}
static int show(const int *p) {
    return p[2]; // ERROR
}

int main(void) {
    int *p = make(5);
    printf("%d\n", show(p));
    return 0;
}
