// A division that fails for exactly one input, and one that overflows for another.
//@ explore: --sym-stdin 1
//@ run: fine
//@ stdin: a
#include <limits.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int quotient = 1000 / (c - 'q');
    int smallest = INT_MIN;
    int overflowing = smallest / (c - 'F');
    printf("%d %d\n", quotient > 100, overflowing < -100000000);
    return 0;
}
