// Appends to a file outside.
#include "hostile.h"

static void attack(void) {
    overwrite(OUTSIDE "/file");
}
