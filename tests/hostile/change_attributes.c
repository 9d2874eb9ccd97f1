// Adds an extended attribute to a file outside.
#include "hostile.h"
#include <sys/xattr.h>

static void attack(void) {
    if (setxattr(OUTSIDE "/file", "user.hostile", "1", 1, 0) == 0) broke_out("setxattr");
    if (lsetxattr(OUTSIDE "/file", "user.hostile", "1", 1, 0) == 0) broke_out("lsetxattr");
}
