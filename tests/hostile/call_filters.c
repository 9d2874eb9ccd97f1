// Makes filters of system calls that descriptors keep: of each the kernel has a copy, and its machine code, which no limit counts.
#include "hostile.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

static void attack(void) {
    static struct sock_filter steps[4096];
    for (int i = 0; i < 4095; i++) steps[i] = (struct sock_filter){BPF_LD | BPF_W | BPF_ABS, 0, 0, 0};
    steps[4095] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {4096, steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int number = 0; number < 64; number++) {
        if (fork() == 0) _exit(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0);
        int status;
        wait(&status);
        if (status != 0) broke_out("a filter with a descriptor");
    }
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) broke_out("a filter");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) broke_out("a filter by prctl");
}
