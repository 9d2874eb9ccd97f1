// Starts processes until none can be started.
#include "hostile.h"

static void attack(void) {
    for (int i = 0; i < 20000; i++) {
        pid_t child = fork();
        if (child < 0) return;
        if (child == 0) {
            pause();
            _exit(0);
        }
    }
    broke_out("20000 processes");
}
