// Fills the disk in a folder that nobody can list.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    signal(SIGXFSZ, SIG_IGN);
    if (mkdir("closed", 0300) != 0 || chdir("closed") != 0) return;
    for (int number = 0; number < 64; number++) {
        char name[32];
        snprintf(name, sizeof name, "large%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        for (int i = 0; i < 32; i++) {
            if (write(file, bytes, sizeof bytes) <= 0) return;
        }
        close(file);
    }
    wait_for_the_limit();
}
