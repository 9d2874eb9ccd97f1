// abort: unflushed output is lost or kept alike, atexit handlers do not run.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { puts("must not run"); }

int main(void) {
    atexit(never);
    puts("before");
    fputs("to stderr\n", stderr);
    abort();
}
