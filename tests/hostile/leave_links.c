// Leaves links, pipes and closed folders behind, for who reads its folder afterwards.
#include "hostile.h"

static void attack(void) {
    symlink(OUTSIDE "/private", "leak");
    symlink(OUTSIDE, "leaks");
    symlink("/etc/shadow", "shadow");
    mkfifo("pipe", 0644);
    mkdir("closed", 0755);
    symlink(OUTSIDE "/private", "closed/leak");
    chmod("closed", 0);
    int file = open("unreadable", O_WRONLY | O_CREAT, 0);
    close(file);
}
