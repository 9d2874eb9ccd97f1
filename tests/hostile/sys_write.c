// Opens files of /sys for writing.
#include "hostile.h"

static void attack(void) {
    const char *paths[] = {"/sys/power/state", "/sys/kernel/profiling", "/sys/kernel/uevent_helper",
                           "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/cgroup.procs"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (open(paths[i], O_WRONLY) >= 0) broke_out(paths[i]);
    }
}
