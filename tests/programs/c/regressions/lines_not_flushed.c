// Standard output that is no terminal is not flushed at the end of a line, not even at the first.
//@ run: lost
//@ run: kept
//@ args: flush
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    printf("one\n");
    if (argc > 1) fflush(stdout);
    printf("two\n");
    fputs("to stderr\n", stderr);
    _exit(0);
}
