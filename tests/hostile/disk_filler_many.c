// Fills the disk with many files.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 128; number++) {
        char name[32];
        snprintf(name, sizeof name, "large%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        for (int i = 0; i < 16; i++) {
            if (write(file, bytes, sizeof bytes) <= 0) return;
        }
        close(file);
    }
    wait_for_the_limit();
}
