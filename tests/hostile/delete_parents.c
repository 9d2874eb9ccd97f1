// Deletes a file outside by a path that climbs up from the working folder.
#include "hostile.h"

static void attack(void) {
    if (unlink("../../../../../../../../../.." OUTSIDE "/file") == 0) broke_out("unlink");
    if (unlinkat(AT_FDCWD, "../../../../../../../../../.." OUTSIDE "/folder", AT_REMOVEDIR) == 0) broke_out("unlinkat");
}
