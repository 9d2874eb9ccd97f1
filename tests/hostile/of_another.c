// Asks the kernel for what it keeps of another process, and shares with it.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    if (!CANARY) return;
    unsigned long cookie = 0;
    void *head;
    size_t length;
    // PR_SCHED_CORE: get, share to, share from.
    if (prctl(62, 0, CANARY, 0, &cookie) == 0) broke_out("the core of another process");
    // A core of its own is one that nobody else may use at the same time.
    if (prctl(62, 1, 0, 0, 0) == 0) broke_out("a core of its own");
    if (prctl(62, 2, CANARY, 0, 0) == 0 || prctl(62, 3, CANARY, 0, 0) == 0) broke_out("a core shared with another process");
    if (syscall(SYS_get_robust_list, CANARY, &head, &length) == 0) broke_out("get_robust_list");
    struct rlimit limit;
    if (prlimit(CANARY, RLIMIT_NOFILE, NULL, &limit) == 0) broke_out("the limits of another process");
    if (setpgid(0, CANARY) == 0) broke_out("the group of another process");
    if (tcsetpgrp(0, CANARY) == 0 || tcsetpgrp(1, CANARY) == 0) broke_out("a terminal");
    if (waitpid(CANARY, NULL, WNOHANG) == CANARY) broke_out("waited for another process");
    siginfo_t said;
    if (waitid(P_PGID, CANARY, &said, WEXITED | WNOHANG) == 0) broke_out("waited for another group");
}
