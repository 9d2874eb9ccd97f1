// Frees a buffer on the stack.
//@ outcome: invalid-free
//@ stack: release main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

static void release(char *buffer) {
    free(buffer); // ERROR
}

int main(void) {
    char small[16] = "on the stack", *buffer = small;
    puts(buffer);
    fflush(stdout);
    release(buffer);
    return 0;
}
