// Uses memory that no process counts as its own: shared pages that are not mapped any more, but for the last one.
#include "hostile.h"

static void attack(void) {
    const size_t size = (size_t)256 << 20;
    int zero = open("/dev/zero", O_RDWR);
    for (int i = 0; i < 16; i++) {
        int file = i % 2 ? zero : -1;
        char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
        if (bytes == MAP_FAILED) return;
        memset(bytes, 1, size);
        munmap(bytes, size - 4096);
    }
    wait_for_the_limit();
}
