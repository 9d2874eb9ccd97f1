// Moves and opens mounts by the calls that are newer than `mount`.
#include "hostile.h"

static void attack(void) {
    int tree = (int)syscall(428 /* open_tree */, AT_FDCWD, "/usr", 1 /* a copy */);
    if (tree >= 0) broke_out("open_tree");
    if (syscall(429 /* move_mount */, AT_FDCWD, "/usr", AT_FDCWD, "/tmp", 0) == 0) broke_out("move_mount");
    unsigned long attributes[4] = {0, 1 /* no longer read-only */, 0, 0};
    const char *places[] = {"/", "/usr", "/program", "/proc", "/dev/null", "/tmp"};
    for (int i = 0; i < 6; i++) {
        if (syscall(442 /* mount_setattr */, AT_FDCWD, places[i], 0x8000, attributes, sizeof attributes) == 0) broke_out("mount_setattr");
        if (syscall(SYS_umount2, places[i], 2) == 0) broke_out("umount");
    }
    // statmount and listmount only tell.
    if (syscall(SYS_pivot_root, ".", ".") == 0) broke_out("pivot_root");
    mkdir("place", 0755);
    if (syscall(SYS_mount, "none", "place", "tmpfs", 0, NULL) == 0) broke_out("mount");
    if (syscall(SYS_mount, "/", "place", NULL, 4096 | 16384, NULL) == 0) broke_out("bind");
    if (syscall(SYS_mount, "overlay", "place", "overlay", 0, "lowerdir=/usr:/tmp") == 0) broke_out("overlay");
    rmdir("place");
}
