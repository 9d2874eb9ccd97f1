// Asks for large buffers, and fills those of a few hundred sockets of each kind.
#include "hostile.h"
#include <arpa/inet.h>
#include <netinet/in.h>

static unsigned long filled;

static void fill(int from, int to) {
    static char bytes[1 << 15];
    int most = 1 << 30;
    setsockopt(from, SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
    setsockopt(to, SOL_SOCKET, SO_RCVBUF, &most, sizeof most);
    ssize_t length;
    while ((length = send(from, bytes, sizeof bytes, MSG_DONTWAIT)) > 0 && filled < 3UL << 30) filled += (unsigned long)length;
}

static void attack(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 16) != 0) return;
    getsockname(listener, (struct sockaddr *)&place, &size);
    for (int number = 0; number < 300; number++) {
        int pair[2], call = socket(AF_INET, SOCK_STREAM, 0);
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
            fill(pair[0], pair[1]);
            fill(pair[1], pair[0]);
        }
        if (call < 0 || connect(call, (struct sockaddr *)&place, sizeof place) != 0) break;
        int taken = accept(listener, NULL, NULL);
        if (taken < 0) break;
        fill(call, taken);
        fill(taken, call);
    }
    if (filled > 1UL << 30) wait_for_the_limit();
}
