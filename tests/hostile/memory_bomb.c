// Uses all memory.
#include "hostile.h"

static void attack(void) {
    for (int i = 0; i < 3 * 64; i++) {
        char *bytes = malloc(16 << 20);
        if (!bytes) return;
        memset(bytes, i + 1, 16 << 20);
    }
    wait_for_the_limit();
}
