// Starts processes that are children of its own parent, or whose parent waits for them where no signal reaches it, and leaves them behind.
#include "hostile.h"
#include <sys/prctl.h>

static void stay(void) {
    setsid();
    prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    sleep(600);
    _exit(0);
}

static void attack(void) {
    for (int number = 0; number < 10; number++) {
        if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) == 0) stay();
        if (syscall(SYS_clone, CLONE_PARENT, NULL, NULL, NULL, NULL) == 0) stay();
        // Its end is told by no signal, and its parent sleeps until it ends.
        if (fork() == 0) {
            prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
            if (vfork() == 0) {
                for (;;) syscall(SYS_pause);
            }
            _exit(0);
        }
    }
    usleep(20000);
}
