// Reaches for another process by its descriptor: files, memory, signals, priorities.
#include "hostile.h"
#include <sched.h>

static void attack(void) {
    if (!CANARY) return;
    int process = (int)syscall(SYS_pidfd_open, CANARY, 0);
    if (process >= 0) {
        if (syscall(SYS_pidfd_getfd, process, 0, 0) >= 0) broke_out("pidfd_getfd");
        if (syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0) broke_out("pidfd_send_signal");
        if (syscall(448 /* process_mrelease */, process, 0) == 0) broke_out("process_mrelease");
        if (syscall(SYS_setns, process, 0x20000000) == 0) broke_out("setns of a process");
    }
    char byte = 0;
    struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
    if (syscall(SYS_process_vm_writev, CANARY, &own, 1, &other, 1, 0) >= 0) broke_out("process_vm_writev");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    if (sched_setaffinity(CANARY, sizeof one, &one) == 0) broke_out("sched_setaffinity");
    if (syscall(SYS_ioprio_set, 1, CANARY, 3 << 13) == 0) broke_out("ioprio_set");
    if (setpgid(CANARY, 0) == 0) broke_out("setpgid");
    if (syscall(SYS_tgkill, CANARY, CANARY, SIGKILL) == 0) broke_out("tgkill");
    if (sigqueue(CANARY, SIGKILL, (union sigval){0}) == 0) broke_out("sigqueue");
}
