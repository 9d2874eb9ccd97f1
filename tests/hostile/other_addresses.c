// Sends to who listens on this machine by every address that could mean it, and to where clouds keep their secrets.
#include "hostile.h"
#include <arpa/inet.h>
#include <netinet/in.h>

static void attack(void) {
    const char *addresses[] = {"127.0.0.1", "127.0.0.2", "0.0.0.0", "255.255.255.255", "224.0.0.1", "169.254.169.254", "169.254.170.2", "10.0.0.1", "172.17.0.1"};
    for (int i = 0; i < 9; i++) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = {inet_addr(addresses[i])}};
        int packets = socket(AF_INET, SOCK_DGRAM, 0), stream = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), yes = 1;
        setsockopt(packets, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
        // Whether something has come is seen outside.
        sendto(packets, "x", 1, 0, (struct sockaddr *)&to, sizeof to);
        if (connect(stream, (struct sockaddr *)&to, sizeof to) == 0) broke_out(addresses[i]);
        to.sin_port = htons(80);
        if (i >= 5 && sendto(packets, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1) broke_out(addresses[i]);
        close(packets);
        close(stream);
    }
    const char *six[] = {"::1", "::ffff:127.0.0.1", "::", "ff02::1", "fe80::1"};
    for (int i = 0; i < 5; i++) {
        struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(PORT)};
        inet_pton(AF_INET6, six[i], &to.sin6_addr);
        int packets = socket(AF_INET6, SOCK_DGRAM, 0), stream = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK, 0);
        sendto(packets, "x", 1, 0, (struct sockaddr *)&to, sizeof to);
        if (connect(stream, (struct sockaddr *)&to, sizeof to) == 0) broke_out(six[i]);
        close(packets);
        close(stream);
    }
}
