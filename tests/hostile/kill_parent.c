// Kills its parent, and the parent's parent's group.
#include "hostile.h"

static void attack(void) {
    kill(getppid(), SIGTERM);
    kill(getppid(), SIGKILL);
    kill(-getppid(), SIGKILL);
    kill(1, SIGKILL);
    usleep(20000);
}
