// Empties a file outside: by name, and by opening it for reading.
#include "hostile.h"

static void attack(void) {
    if (truncate(OUTSIDE "/file", 0) == 0) broke_out("truncate");
    if (open(OUTSIDE "/file", O_RDONLY | O_TRUNC) >= 0) broke_out("O_TRUNC");
}
