// Writes to files of the system.
#include "hostile.h"

static void attack(void) {
    could_write("/etc/passwd");
    could_write("/etc/shadow");
    could_write("/etc/crontab");
    could_write("/etc/ld.so.cache");
    could_write("/usr/bin/env");
    could_write("/usr/lib/os-release");
    if (open("/etc/ld.so.preload", O_WRONLY | O_CREAT, 0644) >= 0) broke_out("/etc/ld.so.preload");
    if (open("/usr/bin/hostile", O_WRONLY | O_CREAT, 0755) >= 0) broke_out("/usr/bin");
}
