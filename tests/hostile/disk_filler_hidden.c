// Fills the disk with files without names, in a process that nobody may look at.
#include "hostile.h"
#include <sys/prctl.h>

static void attack(void) {
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (int number = 0; number < 64; number++) {
        int file = open("large", O_RDWR | O_CREAT, 0644);
        unlink("large");
        for (int i = 0; i < 32; i++) {
            if (write(file, bytes, sizeof bytes) <= 0) return;
        }
    }
    wait_for_the_limit();
}
