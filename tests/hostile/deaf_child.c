// Leaves a child behind that ignores signals and keeps the output open.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    if (fork() != 0) return;
    for (int signal_number = 1; signal_number < 65; signal_number++) signal(signal_number, SIG_IGN);
    setsid();
    prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    for (;;) pause();
}
