// sscanf's %s without a width into a buffer that is too small.
//@ outcome: out-of-bounds
//@ stack: read_word main
//@ sanitizer: address
#include <stdio.h>

static void read_word(const char *line, char *word) {
    sscanf(line, "%s", word); // ERROR
}

int main(void) {
    char word[8];
    read_word("immeasurable lengths", word);
    puts(word);
    return 0;
}
