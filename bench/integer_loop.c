/* Integer arithmetic in registers: a linear congruential generator with a data-dependent branch. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned rounds = argc > 1 ? strtoul(argv[1], 0, 10) : 1000000;
    unsigned state = 12345, odd = 0;
    for (unsigned i = 0; i < rounds; i++) {
        state = state * 1664525u + 1013904223u;
        if (state >> 31)
            odd += i ^ state;
    }
    printf("%u %u\n", state, odd);
    return 0;
}
