// Calls a pointer to data as if it were a function.
//@ outcome: wild-dereference
//@ stack: invoke invoke main
//@ sanitizer: address
#include <stdio.h>

static long numbers[4] = {1, 2, 3, 4};

// Two frames deep, because the sanitizer's unwinder loses the frame that made the call.
static void invoke(void *target, int depth) {
    depth ? invoke(target, depth - 1) : ((void (*)(void))target)(); // ERROR
}

int main(void) {
    printf("%ld\n", numbers[0]);
    fflush(stdout);
    invoke(numbers, 1);
    return 0;
}
