// A clean-up path frees twice only when both options are given.
//@ args: -a -b
//@ outcome: double-free
//@ stack: main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int early = 0, late = 0;
    char *buffer = malloc(64);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-a")) early = 1;
        if (!strcmp(argv[i], "-b")) late = 1;
    }
    strcpy(buffer, "work");
    puts(buffer);
    fflush(stdout);
    if (early) free(buffer);
    if (late || !early)
        free(buffer); // ERROR
    return 0;
}
