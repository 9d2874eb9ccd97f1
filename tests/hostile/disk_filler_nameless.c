// Fills the disk with files that have no name any more, so that nobody who looks through the folder sees them.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 64; number++) {
        int file = open("large", O_RDWR | O_CREAT, 0644);
        unlink("large");
        for (int i = 0; i < 32; i++) {
            if (write(file, bytes, sizeof bytes) <= 0) return;
        }
        // Every other one is held by a mapping alone.
        if (number % 2 && mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED) close(file);
    }
    wait_for_the_limit();
}
