// Writes to standard output without end.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 16];
    for (int i = 0; i < 1 << 15; i++) {
        if (write(1, bytes, sizeof bytes) <= 0) return;
    }
}
