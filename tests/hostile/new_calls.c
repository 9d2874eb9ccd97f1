// Uses calls that are newer than whoever wrote the filter, and sockets of rare kinds, for which the kernel loads modules.
#include "hostile.h"

static void attack(void) {
    for (long number = 470; number < 1024; number++) {
        errno = 0;
        if (syscall(number, 0, 0, 0, 0, 0, 0) != -1 || (errno != ENOSYS && errno != EPERM)) broke_out("a new call");
    }
    // open_tree_attr.
    if (syscall(467, AT_FDCWD, "/", 1, NULL, 0) >= 0) broke_out("open_tree_attr");
    int pair[2];
    for (int family = 2; family < 46; family++) {
        errno = 0;
        if (socketpair(family, SOCK_STREAM, 0, pair) == 0 || errno != EPERM) broke_out("a pair of another family");
        if (socketpair(family, SOCK_SEQPACKET, 0, pair) == 0 || errno != EPERM) broke_out("a pair of another family");
    }
    const int rare[] = {33 /* DCCP */, 132 /* SCTP */, 136 /* UDP-Lite */, 262 /* MPTCP */, 115 /* L2TP */};
    for (int i = 0; i < 5; i++) {
        for (int kind = 1; kind < 7; kind++) {
            errno = 0;
            if (socket(AF_INET, kind, rare[i]) >= 0 || errno != EPERM) broke_out("a rare protocol");
        }
    }
}
