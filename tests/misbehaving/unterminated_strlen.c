// strlen of a heap buffer without a terminating null.
//@ outcome: out-of-bounds
//@ stack: measure main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t measure(const char *text) {
    return strlen(text); // ERROR
}

int main(void) {
    char *buffer = malloc(16);
    memset(buffer, 'x', 16);
    printf("%zu\n", measure(buffer));
    free(buffer);
    return 0;
}
