// Uses the processor without end, and ignores every request to stop.
#include "hostile.h"

static void attack(void) {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (volatile unsigned long i = 0;; i++) {
    }
}
