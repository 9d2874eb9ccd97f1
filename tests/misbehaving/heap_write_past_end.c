// Writes the terminating null one byte past a heap string.
//@ outcome: out-of-bounds
//@ stack: copy main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    size_t length = strlen(text);
    char *out = malloc(length);
    for (size_t i = 0; i < length; i++) out[i] = text[i];
    out[length] = 0; // ERROR
    return out;
}

int main(void) {
    char *text = copy("sixteen letters!");
    puts(text);
    free(text);
    return 0;
}
