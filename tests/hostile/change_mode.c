// Changes the mode of a file outside, by its name and by descriptors.
#include "hostile.h"

static void attack(void) {
    if (chmod(OUTSIDE "/file", 0777) == 0) broke_out("chmod");
    if (fchmodat(AT_FDCWD, OUTSIDE "/folder", 0777, 0) == 0) broke_out("fchmodat");
    int file = open(OUTSIDE "/file", O_RDONLY);
    if (file >= 0 && fchmod(file, 0777) == 0) broke_out("fchmod");
    int path = open(OUTSIDE "/file", O_PATH);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", path);
    if (path >= 0 && chmod(name, 0777) == 0) broke_out("chmod of /proc/self/fd");
    if (path >= 0 && syscall(452, path, "", 0777, AT_EMPTY_PATH) == 0) broke_out("fchmodat2");
}
