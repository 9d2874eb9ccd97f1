// Renames a file outside.
#include "hostile.h"

static void attack(void) {
    if (rename(OUTSIDE "/file", OUTSIDE "/elsewhere") == 0) broke_out("rename");
    if (rename(OUTSIDE "/file", "stolen") == 0) broke_out("rename into the folder");
}
