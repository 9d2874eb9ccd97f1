// memset clears four times as many bytes as the array has.
//@ outcome: out-of-bounds
//@ stack: clear main
//@ sanitizer: address
#include <stdio.h>
#include <string.h>

static void clear(short *values, size_t count) {
    memset(values, 0, count * sizeof(long)); // ERROR
}

int main(void) {
    short values[32];
    clear(values, 32);
    printf("%d\n", values[5]);
    return 0;
}
