// Takes room on a disk without writing, which takes no time.
#include "hostile.h"

static void attack(void) {
    unsigned long taken = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int number = 0; number < 40; number++) {
        char name[32];
        snprintf(name, sizeof name, "large%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        if (file < 0 || fallocate(file, number % 2, 0, 100 << 20) != 0) break;
        taken += 100;
        close(file);
    }
    if (taken > 1000) broke_out("a gigabyte at once");
}
