// Has the disks of the machine write what they have not written yet, again and again: everybody who writes waits for that.
#include "hostile.h"

static void attack(void) {
    // A descriptor that is none is only noticed by who looks for its disk.
    if (syscall(SYS_syncfs, -1) != 0) broke_out("syncfs");
    for (int i = 0; i < 1000; i++) {
        sync();
        int file = open("/usr/bin/env", O_RDONLY);
        if (file >= 0) syncfs(file);
        close(file);
    }
}
