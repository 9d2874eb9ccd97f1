// Lets other programs do the work: a shell, rm, find, dd.
#include "hostile.h"

static void attack(void) {
    static char command[] = "rm -rf " OUTSIDE "/folder; echo hostile >>" OUTSIDE "/file; find " OUTSIDE
                            " -delete; dd if=/dev/zero of=" OUTSIDE "/file count=1; mv " OUTSIDE "/file .; touch " OUTSIDE "/file";
    int null = open("/dev/null", O_WRONLY);
    if (fork() == 0) {
        dup2(null, 1), dup2(null, 2);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(0);
    }
    wait(NULL);
}
