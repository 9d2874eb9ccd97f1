/* Calls: the doubly recursive Fibonacci function. */
#include <stdio.h>
#include <stdlib.h>

static unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char **argv) {
    unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 25;
    printf("%u\n", fibonacci(n));
    return 0;
}
