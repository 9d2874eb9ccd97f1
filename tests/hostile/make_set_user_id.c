// Makes a set-user-id program, for somebody else to start.
#include "hostile.h"

static void attack(void) {
    char bytes[65536];
    int from = open("/bin/sh", O_RDONLY), to = open("shell", O_WRONLY | O_CREAT, 0755);
    for (ssize_t length; (length = read(from, bytes, sizeof bytes)) > 0;) write(to, bytes, (size_t)length);
    fchmod(to, 06755);
    chmod("shell", 06755);
    close(to);
    pid_t child = fork();
    if (child == 0) {
        execl("./shell", "shell", "-pc", "test $(id -u) != 0 || echo BROKE OUT: a set-user-id shell", (char *)NULL);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}
