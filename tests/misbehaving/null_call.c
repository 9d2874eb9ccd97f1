// Calls a null function pointer from a dispatch table.
//@ outcome: null-dereference
//@ stack: dispatch main
//@ sanitizer: address
#include <stdio.h>

static void hello(void) { puts("hello"); }
static void (*const handlers[4])(void) = {hello, NULL, hello};

static void dispatch(int command) {
    handlers[command](); // ERROR
}

int main(void) {
    dispatch(0), dispatch(2);
    fflush(stdout);
    dispatch(3);
    return 0;
}
