// Uses the kernel's keys of its user.
#include "hostile.h"

static void attack(void) {
    if (syscall(SYS_add_key, "user", "hostile", "x", 1, -4) >= 0) broke_out("add_key");
    if (syscall(SYS_keyctl, 0, -4, 0) >= 0) broke_out("keyctl");
    if (syscall(SYS_request_key, "user", "hostile", NULL, 0) >= 0) broke_out("request_key");
}
