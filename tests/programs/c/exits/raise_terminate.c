// kill(getpid(), SIGTERM) with the default action ends the process with that signal.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    signal(SIGUSR1, SIG_IGN);
    printf("%d\n", raise(SIGUSR1));
    fputs("not lost\n", stderr);
    kill(getpid(), SIGTERM);
    puts("not reached");
    return 0;
}
