// Changes the times of a file outside.
#include "hostile.h"

static void attack(void) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    if (utimensat(AT_FDCWD, OUTSIDE "/file", times, 0) == 0) broke_out("utimensat");
    int file = open(OUTSIDE "/file", O_RDONLY);
    if (file >= 0 && futimens(file, times) == 0) broke_out("futimens");
}
