// Scans backwards past the start of a heap string.
//@ outcome: out-of-bounds
//@ stack: trim main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void trim(char *text) {
    long end = (long)strlen(text) - 1;
    while (text[end] == ' ') // ERROR
        end--;
    text[end + 1] = 0;
}

int main(void) {
    char *text = strdup("    ");
    trim(text);
    printf("[%s]\n", text);
    free(text);
    return 0;
}
