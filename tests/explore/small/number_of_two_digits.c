// strtol on at most two characters, with its end pointer.
//@ explore: --sym-args 1 1 2
//@ run: number
//@ args: 42
//@ run: rest
//@ args: 7x
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 2) return 9;
    char *end;
    long value = strtol(argv[1], &end, 10);
    if (end == argv[1]) {
        puts("no number");
        return 1;
    }
    if (*end) {
        puts("something follows");
        return 2;
    }
    if (value < 0) puts("negative");
    else if (value >= 50) puts("large");
    else puts("small");
    return 0;
}
