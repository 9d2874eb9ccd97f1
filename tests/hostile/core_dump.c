// Crashes in a folder outside, where the kernel would leave its memory.
#include "hostile.h"

static void attack(void) {
    chdir(OUTSIDE);
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &all);
    if (fork() == 0) abort();
    wait(NULL);
}
