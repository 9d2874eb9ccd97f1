// Reaches for the memory and the descriptors of processes outside, each way that the kernel has.
#include "hostile.h"
#include <sys/ioctl.h>

static void attack(void) {
    char bytes[64];
    struct iovec here = {bytes, sizeof bytes}, there = {bytes, sizeof bytes};
    int processes[] = {CANARY, getppid(), 1, getppid() - 1};
    for (int i = 0; i < 4; i++) {
        int process = processes[i];
        // Its own parent, where several attacks are made by one program, is no stranger; the launcher is in another session.
        if (process <= 0 || process == getpid() || getsid(process) == getsid(0)) continue;
        if (syscall(SYS_process_vm_writev, process, &here, 1, &there, 1, 0) >= 0) broke_out("process_vm_writev");
        int handle = (int)syscall(SYS_pidfd_open, process, 0);
        for (int number = 0; handle >= 0 && number < 3; number++) {
            if (syscall(SYS_pidfd_getfd, handle, number, 0) >= 0) broke_out("pidfd_getfd");
        }
        if (handle >= 0 && syscall(SYS_pidfd_send_signal, handle, 0, NULL, 0) == 0 && process == CANARY) broke_out("pidfd_send_signal");
        // PIDFD_GET_*_NAMESPACE.
        for (unsigned long request = 0xff01; handle >= 0 && request < 0xff0b; request++) {
            if (ioctl(handle, request, 0) >= 0) broke_out("a namespace of another process");
        }
        if (handle >= 0 && syscall(SYS_setns, handle, CLONE_NEWNS) == 0) broke_out("setns");
        const char *names[] = {"mem", "environ", "maps", "fd/0", "fd/1", "fd/2", "fd/3", "ns/mnt", "auxv", "stack", "io", "syscall", "root/etc/passwd",
                               "cwd/x", "exe", "map_files", "fdinfo/0", "oom_score_adj", "timerslack_ns", "coredump_filter", "clear_refs"};
        for (unsigned name = 0; name < sizeof names / sizeof *names; name++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/%s", process, names[name]);
            int file = open(path, O_RDWR | O_NONBLOCK);
            if (file >= 0) broke_out(path);
            file = open(path, O_RDONLY | O_NONBLOCK);
            if (file >= 0 && read(file, bytes, 1) > 0) {
                // What the kernel shows everybody is not for its owner alone.
                if (strcmp(names[name], "oom_score_adj") != 0 && strcmp(names[name], "coredump_filter") != 0) broke_out(path);
            }
        }
        snprintf(bytes, sizeof bytes, "/proc/%d/task/%d/mem", process, process);
        if (open(bytes, O_RDWR) >= 0) broke_out(bytes);
    }
}
