// Writes into a string literal.
//@ outcome: read-only-write
//@ stack: capitalise main
//@ sanitizer: address
#include <ctype.h>
#include <stdio.h>

static void capitalise(char *text) {
    *text = (char)toupper((unsigned char)*text); // ERROR
}

int main(void) {
    char mine[] = "array";
    capitalise(mine);
    puts(mine);
    fflush(stdout);
    capitalise("literal");
    return 0;
}
