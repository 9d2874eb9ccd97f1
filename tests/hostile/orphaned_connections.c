// Leaves data in connections of which only one end has a descriptor, or none.
#include "hostile.h"
#include <netinet/in.h>

static void attack(void) {
    static char bytes[1 << 15];
    unsigned long sent = 0;
    signal(SIGPIPE, SIG_IGN);
    for (int number = 0; number < 64; number++) {
        struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        socklen_t size = sizeof place;
        int listener = socket(AF_INET, SOCK_STREAM, 0);
        if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 4096) != 0) return;
        getsockname(listener, (struct sockaddr *)&place, &size);
        for (int caller = 0; caller < 512; caller++) {
            int call = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            if (call < 0) return;
            if (connect(call, (struct sockaddr *)&place, sizeof place) != 0 && errno != EINPROGRESS) {
                close(call);
                break;
            }
            ssize_t length, own = 0;
            while ((length = send(call, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) own += length;
            close(call);
            if (own == 0) break;
            sent += (unsigned long)own;
        }
    }
    if (sent > 2UL << 30) wait_for_the_limit();
}
