// Asks for sockets that no network namespace holds: of the machine that this one runs on, of radios, of the kernel's own services.
#include "hostile.h"

static void attack(void) {
    for (int family = 0; family < 64; family++) {
        if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
        for (int kind = 1; kind < 8; kind++) {
            int one = socket(family, kind, 0);
            if (one >= 0) {
                char text[64];
                snprintf(text, sizeof text, "a socket of family %d", family);
                broke_out(text);
                close(one);
            }
        }
    }
    for (int protocol = 0; protocol < 256; protocol++) {
        if (socket(AF_INET, SOCK_RAW, protocol) >= 0 || socket(AF_INET6, SOCK_RAW, protocol) >= 0) broke_out("a raw socket");
    }
}
