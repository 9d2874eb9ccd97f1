// Reads past a local array, with an index the compiler cannot know.
//@ outcome: out-of-bounds
//@ stack: pick main
//@ sanitizer: undefined
//@ args: 8
#include <stdio.h>
#include <stdlib.h>

static int pick(int index) {
    int squares[8];
    for (int i = 0; i < 8; i++) squares[i] = i * i;
    return squares[index]; // ERROR
}

int main(int argc, char **argv) {
    printf("%d\n", pick(argc > 1 ? atoi(argv[1]) : 0));
    return 0;
}
