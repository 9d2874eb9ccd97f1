// The process sends itself a signal that ends it.
//@ outcome: signal
//@ stack: stop main
//@ sanitizer: none(a signal is no memory error; the native run ends by it)
#include <signal.h>
#include <stdio.h>

static void stop(int signal) {
    raise(signal); // ERROR
}

int main(void) {
    stop(SIGCHLD);
    puts("an ignored signal changes nothing");
    fflush(stdout);
    stop(SIGTERM);
    return 0;
}
