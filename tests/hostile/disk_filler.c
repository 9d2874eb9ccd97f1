// Fills the disk with one file.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    int file = open("large", O_WRONLY | O_CREAT, 0644);
    for (int i = 0; i < 2048; i++) {
        if (write(file, bytes, sizeof bytes) <= 0) return;
    }
    broke_out("2 gigabytes");
}
