// Traces its parent and a process outside.
#include "hostile.h"
#include <sys/ptrace.h>

static void attack(void) {
    if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0) broke_out("ptrace of the parent");
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0) broke_out("ptrace of the parent");
    if (CANARY && ptrace(PTRACE_ATTACH, CANARY, NULL, NULL) == 0) broke_out("ptrace of another process");
    if (ptrace(PTRACE_ATTACH, 1, NULL, NULL) == 0) broke_out("ptrace of the first process");
}
