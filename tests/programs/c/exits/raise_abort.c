// raise(SIGABRT) ends the process as abort does.
#include <signal.h>
#include <stdio.h>

int main(void) {
    printf("raising\n");
    fputs("not lost\n", stderr);
    raise(SIGABRT);
    puts("not reached");
    return 0;
}
