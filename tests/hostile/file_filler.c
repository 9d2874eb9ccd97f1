// Makes files until none can be made.
#include "hostile.h"

static void attack(void) {
    for (int number = 0; number < 200000; number++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", number);
        int file = open(name, O_WRONLY | O_CREAT, 0644);
        if (file < 0) return;
        close(file);
    }
    wait_for_the_limit();
}
