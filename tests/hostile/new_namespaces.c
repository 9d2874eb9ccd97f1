// Makes namespaces of its own, in which it would be root.
#include "hostile.h"
#include <sched.h>

static void attack(void) {
    if (unshare(CLONE_NEWUSER) == 0) broke_out("unshare");
    if (unshare(CLONE_NEWNS) == 0) broke_out("unshare of mounts");
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    if (child > 0) broke_out("clone");
    unsigned long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    child = (pid_t)syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    if (child > 0) broke_out("clone3");
    int namespace = open("/proc/1/ns/mnt", O_RDONLY);
    if (namespace >= 0 && setns(namespace, 0) == 0) broke_out("setns");
}
