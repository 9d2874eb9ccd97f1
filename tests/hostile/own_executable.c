// Changes its own executable, which lies in a cache outside.
#include "hostile.h"

static void attack(void) {
    char path[4096] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) path[length] = 0;
    if (chmod("/proc/self/exe", 0600) == 0) broke_out("chmod");
    if (length > 0 && chmod(path, 0600) == 0) broke_out("chmod by name");
    if (length > 0 && unlink(path) == 0) broke_out("unlink");
    int file = open("/proc/self/exe", O_RDONLY);
    if (file >= 0 && fchmod(file, 0600) == 0) broke_out("fchmod");
    if (open("/proc/self/exe", O_WRONLY) >= 0) broke_out("open");
}
