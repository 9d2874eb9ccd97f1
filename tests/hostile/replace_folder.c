// Puts a link in the place of its own folder, for who reads the folder afterwards.
#include "hostile.h"

static void attack(void) {
    char here[4096], away[4200];
    if (!getcwd(here, sizeof here)) return;
    snprintf(away, sizeof away, "%s-away", here);
    if (rename(here, away) == 0) symlink(OUTSIDE, here);
}
