// Keeps using the old pointer after realloc moved the block.
//@ outcome: use-after-free
//@ stack: main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *values = malloc(4 * sizeof *values), *first = values;
    for (int i = 0; i < 4; i++) values[i] = i;
    values = realloc(values, 4000 * sizeof *values);
    values[3999] = 1;
    printf("%d\n", first[2]); // ERROR
    free(values);
    return 0;
}
