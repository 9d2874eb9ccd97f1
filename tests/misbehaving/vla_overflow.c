// Writes past a variable-length array.
//@ outcome: out-of-bounds
//@ stack: reverse main
//@ sanitizer: undefined
//@ args: 6
#include <stdio.h>
#include <stdlib.h>

static int reverse(int n) {
    int copy[n];
    for (int i = 0; i < n; i++)
        copy[n - i] = i; // ERROR
    return copy[0];
}

int main(int argc, char **argv) {
    printf("%d\n", reverse(argc > 1 ? atoi(argv[1]) : 3));
    return 0;
}
