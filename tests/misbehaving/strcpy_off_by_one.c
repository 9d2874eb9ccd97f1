// strcpy into a buffer that lacks room for the terminating null.
//@ outcome: out-of-bounds
//@ stack: remember main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *remember(const char *name) {
    char *slot = malloc(strlen(name));
    strcpy(slot, name); // ERROR
    return slot;
}

int main(void) {
    char *name = remember("parallax");
    puts(name);
    free(name);
    return 0;
}
