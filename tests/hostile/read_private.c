// Reads private files and prints them.
#include "hostile.h"

static void attack(void) {
    print_file(OUTSIDE "/private");
    print_file(OUTSIDE "/home/.ssh/id_ed25519");
    print_file("/etc/shadow");
    print_file("/root/.bash_history");
}
