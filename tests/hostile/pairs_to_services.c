// Sends to sockets of the host from one half of a pair, which needs no call of `socket`.
#include "hostile.h"
#include <stddef.h>
#include <sys/un.h>

static void attack(void) {
    struct sockaddr_un named = {AF_UNIX, OUTSIDE "/datagrams"}, nameless = {AF_UNIX, ""};
    int length = snprintf(nameless.sun_path + 1, sizeof nameless.sun_path - 1, "parallax-hostile-datagrams-%d", PORT);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    int kinds[] = {SOCK_DGRAM, SOCK_RAW, SOCK_STREAM};
    for (int i = 0; i < 3; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, kinds[i], 0, pair) != 0) continue;
        if (sendto(pair[0], "x", 1, 0, (struct sockaddr *)&named, sizeof named) == 1) broke_out("a datagram");
        if (sendto(pair[0], "x", 1, 0, (struct sockaddr *)&nameless, size) == 1) broke_out("a datagram to an abstract socket");
        close(pair[1]);
        if (connect(pair[0], (struct sockaddr *)&named, sizeof named) == 0) broke_out("a connected pair");
        if (connect(pair[0], (struct sockaddr *)&nameless, size) == 0) broke_out("a pair connected to an abstract socket");
        close(pair[0]);
    }
}
