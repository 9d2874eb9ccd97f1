// Looks for another root through /proc.
#include "hostile.h"

static void attack(void) {
    const char *paths[] = {"/proc/1/root" OUTSIDE "/file", "/proc/1/cwd" OUTSIDE "/file", "/proc/self/root" OUTSIDE "/file",
                           "/proc/self/cwd/../../../../.." OUTSIDE "/file"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) overwrite(paths[i]);
    if (CANARY) {
        char path[4096];
        snprintf(path, sizeof path, "/proc/%d/root" OUTSIDE "/file", CANARY);
        overwrite(path);
        snprintf(path, sizeof path, "/proc/%d/cwd", CANARY);
        if (open(path, O_RDONLY | O_DIRECTORY) >= 0) broke_out("the folder of another process");
    }
}
