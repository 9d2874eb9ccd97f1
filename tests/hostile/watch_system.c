// Watches which of the system's files others use.
#include "hostile.h"
#include <sys/inotify.h>

static void attack(void) {
    const char *folders[] = {"/usr", "/usr/bin", "/usr/lib", "/usr/bin/env", "/dev/null"};
    int watch = inotify_init1(IN_NONBLOCK);
    for (int i = 0; i < 5; i++) {
        if (watch >= 0 && inotify_add_watch(watch, folders[i], IN_ALL_EVENTS) >= 0) broke_out(folders[i]);
        int folder = open(folders[i], O_RDONLY | O_NONBLOCK);
        if (folder >= 0 && fcntl(folder, F_NOTIFY, DN_ACCESS | DN_MULTISHOT) == 0) broke_out("F_NOTIFY");
        if (folder >= 0 && fcntl(folder, F_SETLEASE, F_RDLCK) == 0) broke_out("F_SETLEASE");
        if (folder >= 0) close(folder);
    }
    int own = open("/proc/self/exe", O_RDONLY);
    if (own >= 0 && fcntl(own, F_SETLEASE, F_RDLCK) == 0) broke_out("a lease on its own executable");
}
