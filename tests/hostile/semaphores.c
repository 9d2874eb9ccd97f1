// Uses memory of the kernel that is in no process: semaphores, of which each set has 32,000.
#include "hostile.h"

static void attack(void) {
    for (int set = 0; set < 1024; set++) {
        if (syscall(SYS_semget, 0 /* IPC_PRIVATE */, 32000, 01600) < 0) return;
        if (set == 8) {
            broke_out("sets of semaphores");
            return;
        }
    }
}
