// Signals a process outside in every way that Linux has.
#include "hostile.h"

static void attack(void) {
    if (!CANARY) return;
    siginfo_t information = {0};
    information.si_code = SI_QUEUE;
    if (kill(CANARY, SIGKILL) == 0) broke_out("kill");
    if (kill(-CANARY, SIGKILL) == 0) broke_out("kill of a group");
    if (syscall(SYS_tkill, CANARY, SIGKILL) == 0) broke_out("tkill");
    if (syscall(SYS_tgkill, CANARY, CANARY, SIGKILL) == 0) broke_out("tgkill");
    if (syscall(SYS_rt_sigqueueinfo, CANARY, SIGKILL, &information) == 0) broke_out("rt_sigqueueinfo");
    int process = (int)syscall(SYS_pidfd_open, CANARY, 0);
    if (process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0) broke_out("pidfd_send_signal");
    int pipes[2];
    if (pipe(pipes) == 0 && fcntl(pipes[0], F_SETOWN, CANARY) == 0) {
        fcntl(pipes[0], F_SETSIG, SIGKILL);
        fcntl(pipes[0], F_SETFL, O_ASYNC);
        write(pipes[1], "x", 1);
    }
}
