// A quoted text is unquoted by moving the pointer, which is then freed.
//@ explore: --sym-stdin 6
//@ outcome: invalid-free
//@ stack: main
//@ sanitizer: address
//@ run: witness
//@ stdin: t="ab"
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *from, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) exit(9);
    memcpy(copy, from, length);
    copy[length] = 0;
    return copy;
}

int main(void) {
    char input[7] = {0};
    size_t size = fread(input, 1, 6, stdin);
    if (size < 3 || input[0] != 't' || input[1] != '=') {
        puts("no text");
        return 1;
    }
    char *text = duplicate(input + 2, size - 2);
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '"') {
        if (text[length - 1] != '"') {
            free(text);
            return 2;
        }
        text[length - 1] = 0;
        text++;
    }
    puts(text);
    free(text); // ERROR
    return 0;
}
