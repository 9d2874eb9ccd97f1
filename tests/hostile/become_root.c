// Becomes root by asking for it, and through set-user-id programs.
#include "hostile.h"
#include <grp.h>

static void attack(void) {
    if (setuid(0) == 0) broke_out("setuid");
    if (setresuid(0, 0, 0) == 0) broke_out("setresuid");
    if (setgid(0) == 0) broke_out("setgid");
    gid_t groups[] = {0};
    if (setgroups(1, groups) == 0) broke_out("setgroups");
    if (geteuid() == 0 || getegid() == 0) broke_out("root");
    const char *programs[] = {"/usr/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/mount"};
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
        pid_t child = fork();
        if (child == 0) {
            close(1), close(2);
            execl(programs[i], programs[i], "--help", (char *)NULL);
            _exit(0);
        }
        if (child > 0) waitpid(child, NULL, 0);
    }
}
