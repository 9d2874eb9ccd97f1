// Leaves what is no ordinary file where its results are looked for, under ordinary names and long ones.
#include "hostile.h"
#include <sys/sysmacros.h>
#include <sys/un.h>

static void attack(void) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    mkfifo(name, 0666);
    mkfifo("stdout", 0666);
    mknod("zero", S_IFCHR | 0666, makedev(1, 5));
    mknod("disk", S_IFBLK | 0666, makedev(254, 0));
    struct sockaddr_un place = {AF_UNIX, "socket"};
    int one = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(one, (struct sockaddr *)&place, sizeof place);
    symlink("loop", "loop");
    symlink(".", "here");
    symlink("/proc/self/environ", "environ");
    symlink("/dev/stdin", "in");
    // Who may do nothing with it, and who would be somebody else.
    close(open("closed file", O_WRONLY | O_CREAT, 0));
    close(open("lent", O_WRONLY | O_CREAT, 06777));
    chmod("lent", 06777);
    mkdir("locked", 0);
    int file = open("with a hole", O_WRONLY | O_CREAT, 0644);
    ftruncate(file, 1 << 20);
    int zero = open("zero", O_RDONLY | O_NONBLOCK), disk = open("disk", O_RDONLY | O_NONBLOCK);
    if (zero >= 0 || disk >= 0) broke_out("a device of its own");
}
