// Becomes a daemon that does its work later.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    if (fork() != 0) return;
    setsid();
    if (fork() != 0) _exit(0);
    close(0), close(1), close(2);
    // The test looks for a process with this name.
    prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
    usleep(300000);
    close(open(OUTSIDE "/late", O_WRONLY | O_CREAT, 0644));
    sleep(600);
    _exit(0);
}
