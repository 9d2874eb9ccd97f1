// __builtin_unreachable in a switch default that can be reached.
//@ outcome: unreachable
//@ stack: days main
//@ sanitizer: undefined
//@ args: 7
#include <stdio.h>
#include <stdlib.h>

static int days(int quarter) {
    switch (quarter) {
    case 1: return 90;
    case 2: return 91;
    case 3: case 4: return 92;
    }
    __builtin_unreachable(); // ERROR
}

int main(int argc, char **argv) {
    printf("%d\n", days(argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
