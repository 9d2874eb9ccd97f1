// Exchanges a file of its own with one outside, in one step, and leaves a whiteout there.
#include "hostile.h"

static void attack(void) {
    const unsigned exchange = 2, whiteout = 4;
    int own = open("own", O_CREAT | O_WRONLY, 0600);
    if (own >= 0) close(own);
    if (syscall(SYS_renameat2, AT_FDCWD, "own", AT_FDCWD, OUTSIDE "/file", exchange) == 0) broke_out("an exchange");
    if (syscall(SYS_renameat2, AT_FDCWD, OUTSIDE "/file", AT_FDCWD, "taken", whiteout) == 0) broke_out("a whiteout");
    int outside = open(OUTSIDE, O_PATH | O_DIRECTORY);
    if (outside >= 0 && syscall(SYS_renameat2, outside, "file", AT_FDCWD, "taken", 0) == 0) broke_out("a rename by descriptor");
    unlink("own");
}
