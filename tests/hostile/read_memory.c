// Reads and writes the memory of other processes, and takes their descriptors.
#include "hostile.h"

static void attack(void) {
    char bytes[8];
    struct iovec own = {bytes, sizeof bytes};
    struct iovec other = {(void *)0x400000, sizeof bytes};
    pid_t victims[] = {getppid(), 1, CANARY};
    for (int i = 0; i < 3; i++) {
        if (!victims[i]) continue;
        errno = 0;
        if (process_vm_readv(victims[i], &own, 1, &other, 1, 0) >= 0 || errno == EFAULT) broke_out("process_vm_readv");
        int process = (int)syscall(SYS_pidfd_open, victims[i], 0);
        if (process >= 0 && syscall(SYS_pidfd_getfd, process, 1, 0) >= 0) broke_out("pidfd_getfd");
    }
}
