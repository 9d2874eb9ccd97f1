// How many arguments there are, and what the last one starts with.
//@ explore: --sym-args 0 2 1
//@ run: none
//@ run: two
//@ args: x -
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc == 1) {
        puts("none");
        return 1;
    }
    const char *last = argv[argc - 1];
    if (argc == 3 && argv[1][0] == last[0]) puts("alike");
    switch (last[0]) {
    case '-':
        puts("option");
        return 2;
    case 0:
        puts("empty");
        return 3;
    default:
        puts("word");
        return 0;
    }
}
