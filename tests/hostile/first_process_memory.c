// Looks into the launcher of the sandbox, from which it could reach the host: memory, root, descriptors.
#include "hostile.h"

static void attack(void) {
    const char *parts[] = {"mem", "root/etc/passwd", "cwd/.", "fd/3", "environ", "maps"};
    pid_t above[] = {1, getppid(), CANARY};
    for (int who = 0; who < 3; who++) {
        if (above[who] == getpid() || above[who] == 0) continue;
        char path[64];
        // In a process of its own, the parent is the program itself.
        snprintf(path, sizeof path, "/proc/%d/exe", above[who]);
        char own[256] = "", other[256] = "";
        if (readlink("/proc/self/exe", own, sizeof own - 1) > 0 && readlink(path, other, sizeof other - 1) > 0 && !strcmp(own, other)) continue;
        for (int part = 0; part < 6; part++) {
            char byte;
            snprintf(path, sizeof path, "/proc/%d/%s", above[who], parts[part]);
            int file = open(path, part == 0 ? O_RDWR : O_RDONLY);
            if (file >= 0 && (part == 0 || read(file, &byte, 1) == 1 || errno == EISDIR)) broke_out(path);
            if (file >= 0) close(file);
        }
    }
}
