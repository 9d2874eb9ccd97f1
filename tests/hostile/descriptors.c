// Uses descriptors that somebody has left open.
#include "hostile.h"

static void attack(void) {
    for (int number = 3; number < 1024; number++) {
        if (fcntl(number, F_GETFD) >= 0) broke_out("an open descriptor");
    }
}
