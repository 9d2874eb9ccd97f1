// Does not end.
#include "hostile.h"

static void attack(void) {
    for (;;) pause();
}
