// Replaces a file outside by one of its own.
#include "hostile.h"

static void attack(void) {
    int file = open("mine", O_WRONLY | O_CREAT, 0644);
    close(file);
    if (rename("mine", OUTSIDE "/file") == 0) broke_out("rename");
    if (syscall(SYS_renameat2, AT_FDCWD, "mine", AT_FDCWD, OUTSIDE "/file", 2) == 0) broke_out("exchange");
}
