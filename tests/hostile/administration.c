// Changes the name and the clock of the host, and asks for other rights of an administrator.
#include "hostile.h"

static void attack(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (sethostname("hostile", 7) == 0) broke_out("sethostname");
    if (clock_settime(CLOCK_REALTIME, &now) == 0) broke_out("clock_settime");
    if (syscall(SYS_syslog, 3, NULL, 0) >= 0) broke_out("syslog");
    if (syscall(SYS_bpf, 0, NULL, 0) >= 0) broke_out("bpf");
    if (syscall(SYS_acct, "accounting") == 0) broke_out("acct");
    if (syscall(SYS_init_module, NULL, 0, "") == 0) broke_out("init_module");
    if (syscall(SYS_iopl, 3) == 0) broke_out("iopl");
    if (syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0) broke_out("perf_event_open");
    if (syscall(SYS_userfaultfd, 0) >= 0) broke_out("userfaultfd");
}
