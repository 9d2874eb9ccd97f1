// Reads one element past a heap array.
//@ outcome: out-of-bounds
//@ stack: total main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

static int total(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i <= count; i++)
        sum += values[i]; // ERROR
    return sum;
}

int main(void) {
    int *values = calloc(10, sizeof *values);
    printf("%d\n", total(values, 10));
    free(values);
    return 0;
}
