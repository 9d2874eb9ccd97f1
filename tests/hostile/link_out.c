// Makes a link to the outside during the run and goes through it.
#include "hostile.h"

static void attack(void) {
    if (symlink(OUTSIDE, "way") != 0) return;
    overwrite("way/file");
    if (unlink("way/file") == 0) broke_out("unlink through a link");
    if (open("way/new", O_WRONLY | O_CREAT, 0644) >= 0) broke_out("create through a link");
}
