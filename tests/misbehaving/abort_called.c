// abort on an inconsistent state.
//@ outcome: abort
//@ stack: verify main
//@ sanitizer: none(abort is no memory error; the native run aborts)
#include <stdio.h>
#include <stdlib.h>

static void verify(int checksum) {
    if (checksum != 42) {
        fputs("checksum mismatch\n", stderr);
        abort(); // ERROR
    }
}

int main(void) {
    verify(42);
    puts("first check passed");
    fflush(stdout);
    verify(41);
    return 0;
}
