// Integer division by a zero that comes from the input.
//@ stdin: 3 1 4 0 5
//@ outcome: division-by-zero
//@ stack: ratio main
//@ sanitizer: undefined
#include <stdio.h>

static int ratio(int a, int b) {
    return a / b; // ERROR
}

int main(void) {
    int n;
    while (scanf("%d", &n) == 1) printf("%d\n", ratio(100, n)), fflush(stdout);
    return 0;
}
