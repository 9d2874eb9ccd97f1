// Uses memory that belongs to no process: nameless files, shared segments, messages.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    for (int i = 0; i < 64; i++) {
        int file = (int)syscall(SYS_memfd_create, "hostile", 0);
        if (file < 0) break;
        for (int part = 0; part < 64; part++) write(file, bytes, sizeof bytes);
        if (i == 63) broke_out("memfd_create");
    }
    for (int i = 0; i < 64; i++) {
        if (syscall(SYS_shmget, 0, 64 << 20, 01600) < 0) break;
        if (i == 63) broke_out("shmget");
    }
}
