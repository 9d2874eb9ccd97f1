// Changes the priority and the limits of a process outside.
#include "hostile.h"

static void attack(void) {
    if (!CANARY) return;
    struct rlimit limit = {1, 1};
    if (setpriority(PRIO_PROCESS, CANARY, 19) == 0) broke_out("setpriority");
    if (prlimit(CANARY, RLIMIT_NOFILE, &limit, NULL) == 0) broke_out("prlimit");
    unsigned long processors = 1;
    if (syscall(SYS_sched_setaffinity, CANARY, sizeof processors, &processors) == 0) broke_out("sched_setaffinity");
    if (syscall(SYS_ioprio_set, 1, CANARY, 3 << 13) == 0) broke_out("ioprio_set");
}
