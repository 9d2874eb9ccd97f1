// Writes to the home folder and to the start-up files of shells.
#include "hostile.h"

static void attack(void) {
    overwrite(OUTSIDE "/home/.bashrc");
    overwrite(OUTSIDE "/home/.profile");
    could_write("/root/.bashrc");
    could_write("/root/.profile");
    could_write("/etc/profile");
    could_write("/etc/bash.bashrc");
}
