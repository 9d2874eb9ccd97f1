// Takes hold of a file outside by a descriptor that needs no right, and makes it its own: links it, changes it, opens it again.
#include "hostile.h"

static void attack(void) {
    const char *paths[] = {OUTSIDE "/file", "/usr/bin/env", "/proc/self/exe"};
    for (int i = 0; i < 3; i++) {
        int file = open(paths[i], O_PATH);
        if (file < 0) continue;
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        if (linkat(file, "", AT_FDCWD, "linked", AT_EMPTY_PATH) == 0) broke_out("a link by descriptor");
        if (linkat(AT_FDCWD, name, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW) == 0) broke_out("a link by /proc");
        if (i < 2 && (chmod(name, 0777) == 0 || fchmodat(file, "", 0777, AT_EMPTY_PATH) == 0)) broke_out("a mode by descriptor");
        if (i < 2 && utimensat(AT_FDCWD, name, NULL, 0) == 0) broke_out("times by descriptor");
        if (open(name, O_WRONLY | O_APPEND) >= 0 || truncate(name, 0) == 0) broke_out("a file that was opened again");
        close(file);
    }
}
