// An environment variable of one character.
//@ explore: --sym-env MODE 1
//@ run: fast
//@ env: MODE=f
//@ run: missing
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *mode = getenv("MODE");
    if (!mode) {
        puts("not set");
        return 1;
    }
    switch (*mode) {
    case 'f':
        puts("fast");
        break;
    case 's':
        puts("slow");
        break;
    case 0:
        puts("empty");
        return 2;
    default:
        puts(*mode < 0 ? "not ASCII" : "unknown");
        return 3;
    }
    return 0;
}
