// Leaves what a union of file systems takes for marks of removed files, marks that a later reader could follow, and a folder that nobody can list.
#include "hostile.h"
#include <sys/socket.h>
#include <sys/un.h>

static void attack(void) {
    close(open("white", O_WRONLY | O_CREAT, 0644));
    if (syscall(SYS_renameat2, AT_FDCWD, "white", AT_FDCWD, "moved", 4 /* RENAME_WHITEOUT */) == 0) {
        // A device, whose number is nobody's.
        int device = open("white", O_RDONLY | O_NONBLOCK);
        if (device >= 0) broke_out("a device");
    }
    symlink("/proc/self/root", "root");
    symlink("/proc/self/cwd/../..", "up");
    symlink("/dev/fd/0", "stream");
    symlink(OUTSIDE "/private", "expected.stdout");
    symlink("loop", "loop");
    mkdir("closed", 0700);
    symlink(OUTSIDE "/private", "closed/private");
    chmod("closed", 0);
    struct sockaddr_un name = {AF_UNIX, "service"};
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (server >= 0) bind(server, (struct sockaddr *)&name, sizeof name);
}
