// Watches what others do with their files, and uses up all watches.
#include "hostile.h"
#include <sys/inotify.h>

static void attack(void) {
    int watch = inotify_init1(IN_NONBLOCK);
    if (watch >= 0 && inotify_add_watch(watch, OUTSIDE "/home", IN_ALL_EVENTS) >= 0) broke_out("inotify of a home folder");
    if (watch >= 0 && inotify_add_watch(watch, OUTSIDE "/private", IN_ALL_EVENTS) >= 0) broke_out("inotify of a private file");
    if (syscall(SYS_fanotify_init, 0, O_RDONLY) >= 0) broke_out("fanotify");
    for (int i = 0; i < 4096 && inotify_init1(IN_NONBLOCK) >= 0; i++) {}
}
