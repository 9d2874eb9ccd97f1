// Uses all memory, while orphans end all the time: who waits for them has no time to look.
#include "hostile.h"

static void attack(void) {
    let_orphans_die();
    for (int i = 0; i < 3 * 64; i++) {
        char *bytes = malloc(16 << 20);
        if (!bytes) return;
        memset(bytes, i + 1, 16 << 20);
    }
    wait_for_the_limit();
}
