// longjmp to a function that has returned.
//@ outcome: dead-jump
//@ stack: fail main
//@ sanitizer: none(no sanitizer knows which calls are still under way)
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf recovery;
static int attempts;

static int prepare(void) {
    if (setjmp(recovery)) {
        // Natively the stack of this call is gone: whatever happens, it is not success.
        exit(9);
    }
    return ++attempts;
}

static void fail(void) {
    longjmp(recovery, 1); // ERROR
}

int main(void) {
    printf("%d\n", prepare());
    fflush(stdout);
    fail();
    return 0;
}
