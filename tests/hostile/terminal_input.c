// Types into the terminal of whoever has started it.
#include "hostile.h"
#include <sys/ioctl.h>

static void attack(void) {
    char key = '\n', paste[2] = {3, 0};
    const char *terminals[] = {"/dev/tty", "/dev/console", "/dev/tty0", "/dev/pts/0", "/dev/ptmx"};
    for (int stream = 0; stream < 3; stream++) {
        if (ioctl(stream, TIOCSTI, &key) == 0) broke_out("TIOCSTI");
        if (ioctl(stream, TIOCLINUX, paste) == 0) broke_out("TIOCLINUX");
        if (ioctl(stream, TIOCSCTTY, 1) == 0) broke_out("TIOCSCTTY");
    }
    for (int i = 0; i < 5; i++) {
        int terminal = open(terminals[i], O_RDWR | O_NOCTTY);
        if (terminal >= 0) broke_out(terminals[i]);
    }
}
