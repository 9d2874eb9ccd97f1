// Deletes a file outside by its absolute path.
#include "hostile.h"

static void attack(void) {
    if (unlink(OUTSIDE "/file") == 0) broke_out("unlink");
}
