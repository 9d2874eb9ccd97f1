// Runs away: every process starts the next one and ends.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    if (fork() != 0) return;
    prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
    for (;;) {
        setsid();
        if (fork() != 0) _exit(0);
    }
}
