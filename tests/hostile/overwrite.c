// Overwrites a file outside.
#include "hostile.h"

static void attack(void) {
    int file = open(OUTSIDE "/file", O_WRONLY | O_TRUNC);
    if (file >= 0 && write(file, "hostile", 7) == 7) broke_out("write");
}
