// INT_MIN divided by minus one traps on the hardware as a division by zero does.
//@ outcome: division-overflow
//@ stack: scale main
//@ sanitizer: undefined
#include <limits.h>
#include <stdio.h>

static int scale(int value, int by) {
    return value / by; // ERROR
}

int main(void) {
    printf("%d\n", scale(INT_MAX, -1));
    fflush(stdout);
    printf("%d\n", scale(INT_MIN, -1));
    return 0;
}
