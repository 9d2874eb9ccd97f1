// Leaves processes behind that keep its streams open, in sessions of their own.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    for (int child = 0; child < 20; child++) {
        if (fork() != 0) continue;
        setsid();
        prctl(PR_SET_NAME, DAEMON);
        prctl(PR_SET_PDEATHSIG, 0);
        prctl(PR_SET_DUMPABLE, 0);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
        if (fork() != 0 && child % 2) _exit(0);
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (;;) pause();
    }
}
