// Links a file outside into its folder and writes through the link.
#include "hostile.h"

static void attack(void) {
    if (link(OUTSIDE "/file", "mine") == 0) overwrite("mine");
    int path = open(OUTSIDE "/file", O_PATH);
    if (path >= 0 && linkat(path, "", AT_FDCWD, "mine2", AT_EMPTY_PATH) == 0) broke_out("linkat");
}
