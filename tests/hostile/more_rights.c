// Raises its own limits.
#include "hostile.h"

static void attack(void) {
    struct rlimit limit = {1 << 20, 1 << 20};
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0) broke_out("RLIMIT_NOFILE");
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &none) == 0) broke_out("RLIMIT_FSIZE");
    if (setrlimit(RLIMIT_NPROC, &none) == 0) broke_out("RLIMIT_NPROC");
    if (nice(-5) != -1) broke_out("nice");
}
