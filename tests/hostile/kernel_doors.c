// Knocks at doors of the kernel behind which errors were found before.
#include "hostile.h"

static void attack(void) {
    char zeros[256] = {0};
    if (syscall(SYS_userfaultfd, 0) >= 0 || syscall(SYS_userfaultfd, 1) >= 0) broke_out("userfaultfd");
    if (syscall(SYS_perf_event_open, zeros, 0, -1, -1, 0) >= 0) broke_out("perf_event_open");
    if (syscall(SYS_bpf, 0, zeros, sizeof zeros) >= 0) broke_out("bpf");
    if (syscall(447 /* memfd_secret */, 0) >= 0) broke_out("memfd_secret");
    if (syscall(SYS_io_uring_register, 0, 0, zeros, 1) >= 0) broke_out("io_uring_register");
    if (syscall(SYS_fsopen, "tmpfs", 0) >= 0) broke_out("fsopen");
    if (syscall(SYS_kcmp, getpid(), CANARY ? CANARY : 1, 0, 0, 0) >= 0) broke_out("kcmp");
    if (syscall(SYS_quotactl, 0x800002, "/dev/root", 0, zeros) == 0) broke_out("quotactl");
    const char *devices[] = {"/dev/userfaultfd", "/dev/kvm", "/dev/fuse", "/dev/kmsg", "/dev/mem", "/dev/net/tun", "/dev/shm/hostile"};
    for (int i = 0; i < 7; i++) {
        int device = open(devices[i], O_RDWR | O_CREAT, 0600);
        if (device >= 0) broke_out(devices[i]);
    }
}
