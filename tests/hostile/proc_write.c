// Opens files of /proc that change the kernel or other processes.
#include "hostile.h"

static void attack(void) {
    const char *paths[] = {"/proc/sys/kernel/hostname", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                           "/proc/sys/vm/drop_caches", "/proc/1/mem", "/proc/1/oom_score_adj", "/proc/1/comm"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (open(paths[i], O_WRONLY) >= 0) broke_out(paths[i]);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    if (open(path, O_RDWR) >= 0) broke_out("memory of the parent");
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", CANARY);
    if (CANARY && open(path, O_WRONLY) >= 0) broke_out("a process outside");
}
