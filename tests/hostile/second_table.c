// Calls the kernel through its tables for 32-bit programs, which a filter could forget.
#include "hostile.h"

static void attack(void) {
    long result;
    // unlink and open by their x32 numbers, then unlink by its number of i386.
    if (syscall(0x40000000 + SYS_unlink, OUTSIDE "/file") == 0) broke_out("x32");
    if (syscall(0x40000000 + SYS_chmod, OUTSIDE "/file", 0777) == 0) broke_out("x32");
    char *path = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (path == MAP_FAILED) return;
    strcpy(path, OUTSIDE "/file");
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(10), "b"(path) : "memory");
    if (result == 0) broke_out("i386");
}
