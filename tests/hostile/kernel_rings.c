// Lets the kernel do its calls through io_uring, which no filter sees.
#include "hostile.h"

static void attack(void) {
    char parameters[256] = {0};
    if (syscall(SYS_io_uring_setup, 8, parameters) >= 0) broke_out("io_uring");
}
