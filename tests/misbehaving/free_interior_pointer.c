// Frees a pointer that was advanced into the block.
//@ outcome: invalid-free
//@ stack: main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(32);
    strcpy(text, "   padded");
    while (*text == ' ') text++;
    puts(text);
    fflush(stdout);
    free(text); // ERROR
    return 0;
}
