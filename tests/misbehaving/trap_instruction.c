// __builtin_trap where a parser gives up.
//@ outcome: trap
//@ stack: digit main
//@ sanitizer: none(a trap is the program's own choice; the native run dies of it)
#include <stdio.h>

static int digit(char c) {
    if (c < '0' || c > '9')
        __builtin_trap(); // ERROR
    return c - '0';
}

int main(void) {
    printf("%d\n", digit('7'));
    fflush(stdout);
    return digit('x');
}
