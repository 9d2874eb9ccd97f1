// Asks the kernel for the namespaces around its own, and for those that other files and processes are in.
#include "hostile.h"
#include <sys/ioctl.h>

static void attack(void) {
    const char *kinds[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time", "pid_for_children"};
    for (int i = 0; i < 9; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i]);
        int own = open(path, O_RDONLY);
        if (own < 0) continue;
        // NS_GET_USERNS of its own is inside; what lies above that must not be reachable.
        int user = ioctl(own, 0xb701), parent = ioctl(own, 0xb702);
        if (parent >= 0) broke_out("the namespace above");
        if (user >= 0 && ioctl(user, 0xb702) >= 0) broke_out("the user namespace above");
        if (syscall(SYS_setns, own, 0) == 0 || (user >= 0 && syscall(SYS_setns, user, 0) == 0)) broke_out("setns");
        // NS_MNT_GET_INFO and its neighbours.
        char information[64] = {64};
        if (ioctl(own, 0x8010b70b, information) >= 0 || ioctl(own, 0x8010b70c, information) >= 0) broke_out("another mount namespace");
        close(own);
        close(user);
    }
}
