// Takes what all processes of one user share, and raises its own rights to the processor.
#include "hostile.h"
#include <sched.h>

static void attack(void) {
    struct sched_param real = {.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_FIFO, &real) == 0) broke_out("SCHED_FIFO");
    if (sched_setscheduler(0, SCHED_RR, &real) == 0) broke_out("SCHED_RR");
    errno = 0;
    if (nice(-5) != -1 || errno == 0) broke_out("nice");
    if (syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0) broke_out("real-time input and output");
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    int limits[] = {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO, RLIMIT_NICE, RLIMIT_SIGPENDING};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (setrlimit(limits[i], &more) == 0) broke_out("a higher limit");
    }
    // Everybody of its user, and everybody.
    syscall(SYS_ioprio_set, 3, getuid(), 3 << 13);
    setpriority(PRIO_USER, getuid(), 19);
    setpriority(PRIO_USER, 0, 19);
    setpriority(PRIO_PGRP, CANARY, 19);
}
