// Uses devices: disks, memory, terminals.
#include "hostile.h"
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

static void attack(void) {
    const char *paths[] = {"/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm", "/dev/shm"};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (open(paths[i], O_RDWR) >= 0) broke_out(paths[i]);
    }
    if (mknod("disk", S_IFBLK | 0666, makedev(254, 0)) == 0) broke_out("mknod");
    if (chmod("/dev/null", 0600) == 0) broke_out("chmod of /dev/null");
    char key = 'x';
    if (ioctl(0, TIOCSTI, &key) == 0) broke_out("TIOCSTI");
}
