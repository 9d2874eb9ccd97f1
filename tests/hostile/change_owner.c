// Gives a file outside to somebody else.
#include "hostile.h"

static void attack(void) {
    if (chown(OUTSIDE "/file", 12345, 12345) == 0) broke_out("chown");
    if (lchown(OUTSIDE "/link", 12345, 12345) == 0) broke_out("lchown");
    int path = open(OUTSIDE "/file", O_PATH);
    if (path >= 0 && fchownat(path, "", 12345, 12345, AT_EMPTY_PATH) == 0) broke_out("fchownat");
}
