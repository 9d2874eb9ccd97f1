// Starts threads until none can be started.
#include "hostile.h"
static void *wait_for_ever(void *nothing) {
    pause();
    return nothing;
}

static void attack(void) {
    for (int i = 0; i < 20000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) return;
    }
    broke_out("20000 threads");
}
