// Fills the disk with several files, while orphans end all the time: who waits for them has no time to look.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 20];
    char name[32];
    let_orphans_die();
    for (int number = 0; number < 16; number++) {
        snprintf(name, sizeof name, "large%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        for (int i = 0; i < 64; i++) {
            // In namespaces the folder is in memory, and has no more room.
            if (write(file, bytes, sizeof bytes) <= 0) return;
            usleep(1000);
        }
        close(file);
    }
    wait_for_the_limit();
}
