// Uses memory that is no page of a process: the tables of its pages. All of them show the one page of zeros.
#include "hostile.h"

static void attack(void) {
    const size_t part = (size_t)1 << 30, step = 2 << 20;
    for (int i = 0; i < 1536; i++) {
        char *bytes = mmap(NULL, part, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bytes == MAP_FAILED) return;
        madvise(bytes, part, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < part; at += step) (void)*(volatile char *)(bytes + at);
    }
    wait_for_the_limit();
}
