// Deletes every file that it can reach, as `rm -rf /` does.
#include "hostile.h"
static int gone(const char *path, const struct stat *data, int kind, struct FTW *where) {
    (void)data, (void)kind, (void)where;
    // Only below OUTSIDE, should the sandbox not hold: the test machine is not to be lost.
    if (strncmp(path, OUTSIDE "/", sizeof OUTSIDE) == 0 && remove(path) == 0) broke_out("remove");
    return 0;
}

static void attack(void) {
    const char *roots[] = {OUTSIDE, "/home", "/tmp", "/root", "/var"};
    for (unsigned i = 0; i < sizeof roots / sizeof *roots; i++) nftw(roots[i], gone, 16, FTW_DEPTH | FTW_PHYS);
}
