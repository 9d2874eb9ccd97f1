// Mounts over the outside, and takes away what is mounted over it.
#include "hostile.h"
#include <sys/mount.h>

static void attack(void) {
    if (mount(".", OUTSIDE, NULL, MS_BIND, NULL) == 0) broke_out("mount");
    if (mount("none", "/tmp", "tmpfs", 0, NULL) == 0) broke_out("mount of /tmp");
    if (mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL) == 0) broke_out("remount");
    if (umount2("/proc", MNT_DETACH) == 0) broke_out("umount");
    if (syscall(SYS_pivot_root, ".", ".") == 0) broke_out("pivot_root");
    if (syscall(SYS_open_tree, AT_FDCWD, "/", 1) >= 0) broke_out("open_tree");
    if (syscall(SYS_fsopen, "tmpfs", 0) >= 0) broke_out("fsopen");
}
