// Opens what it was given once more, in other ways than it was given: its streams, its folder, its executable, its libraries.
#include "hostile.h"
#include <sys/ioctl.h>

static void attack(void) {
    char path[64], target[4096];
    for (int number = 0; number < 1024; number++) {
        struct stat data;
        if (fstat(number, &data) != 0) continue;
        if (number > 2 && fcntl(number, F_GETFD) >= 0) broke_out("a descriptor that nobody has given it");
        if (!S_ISFIFO(data.st_mode)) broke_out("a stream that is no pipe");
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length > 0 && target[0] == '/') broke_out("a stream with a name");
        if (ioctl(number, TIOCGPGRP, &data) == 0) broke_out("a terminal");
        int signal_to = getppid();
        fcntl(number, F_SETOWN, CANARY);
        fcntl(number, F_SETSIG, SIGKILL);
        int again = open(path, O_RDWR | O_NONBLOCK | O_ASYNC);
        if (again >= 0) {
            // Whoever is the owner of a pipe is told when something comes.
            fcntl(again, F_SETOWN, CANARY ? CANARY : signal_to);
            fcntl(again, F_SETSIG, SIGKILL);
            fcntl(again, F_SETFL, O_ASYNC | O_NONBLOCK);
            close(again);
        }
    }
    const char *given[] = {"/proc/self/exe", "/proc/self/root/usr/bin/env", "/proc/self/cwd/../../usr/bin/env", "/dev/fd/../exe"};
    for (int i = 0; i < 4; i++) could_write(given[i]);
    int own = open("/proc/self/exe", O_RDONLY);
    snprintf(path, sizeof path, "/proc/self/fd/%d", own);
    could_write(path);
    if (own >= 0 && syscall(SYS_fallocate, own, 0, 0, 1) == 0) broke_out("fallocate");
    int root = open("/", O_PATH | O_DIRECTORY);
    snprintf(path, sizeof path, "/proc/self/fd/%d/usr/hostile", root);
    if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) broke_out(path);
}
