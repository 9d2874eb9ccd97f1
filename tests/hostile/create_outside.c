// Makes files and folders outside.
#include "hostile.h"

static void attack(void) {
    if (open(OUTSIDE "/new", O_WRONLY | O_CREAT, 0644) >= 0) broke_out("open");
    if (mkdir(OUTSIDE "/new-folder", 0755) == 0) broke_out("mkdir");
    if (symlink("x", OUTSIDE "/new-link") == 0) broke_out("symlink");
    if (mknod(OUTSIDE "/new-pipe", S_IFIFO | 0644, 0) == 0) broke_out("mknod");
    if (open(OUTSIDE, O_TMPFILE | O_RDWR, 0600) >= 0) broke_out("O_TMPFILE");
}
