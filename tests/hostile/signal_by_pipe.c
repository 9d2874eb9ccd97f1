// Has the kernel send signals to a process outside for it: when a pipe fills, when a timer runs out, when a child ends.
#include "hostile.h"

static void attack(void) {
    if (!CANARY) return;
    int ends[2];
    if (pipe(ends) != 0) return;
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETOWN, CANARY);
        struct { int type; pid_t process; } owner = {1 /* F_OWNER_PID */, CANARY};
        fcntl(ends[end], 15 /* F_SETOWN_EX */, &owner);
        fcntl(ends[end], F_SETSIG, SIGKILL);
        fcntl(ends[end], F_SETFL, O_ASYNC | O_NONBLOCK);
    }
    write(ends[1], "x", 1);
    read(ends[0], &(char){0}, 1);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGKILL};
    // Where the kernel looks for the thread; the C libraries do not agree on its name.
    ((int *)&event)[4] = CANARY;
    timer_t timer;
    if (timer_create(CLOCK_REALTIME, &event, &timer) == 0) broke_out("a timer of another process");
    // A child whose end is told by another signal, and to the parent of its parent.
    for (int flags = 0; flags < 2; flags++) {
        if (syscall(SYS_clone, (flags ? CLONE_PARENT : 0) | SIGURG, NULL, NULL, NULL, NULL) == 0) _exit(0);
    }
    siginfo_t information = {.si_signo = SIGKILL, .si_code = SI_QUEUE};
    if (syscall(SYS_rt_sigqueueinfo, CANARY, SIGKILL, &information) == 0) broke_out("rt_sigqueueinfo");
    if (syscall(SYS_rt_tgsigqueueinfo, CANARY, CANARY, SIGKILL, &information) == 0) broke_out("rt_tgsigqueueinfo");
    if (syscall(SYS_tkill, CANARY, SIGKILL) == 0) broke_out("tkill");
    if (syscall(SYS_tgkill, CANARY, CANARY, SIGKILL) == 0) broke_out("tgkill");
    usleep(100000);
}
