// Asks for sockets that no network namespace holds: of the machine that this one runs on, of radios, of the kernel's own services.
#include "hostile.h"

static void attack(void) {
    for (int family = 0; family < 64; family++) {
        if (family == AF_UNIX) continue;
        int is_internet = family == AF_INET || family == AF_INET6;
        for (int kind = 0; kind < 16; kind++) {
            if (is_internet && (kind == SOCK_STREAM || kind == SOCK_DGRAM)) continue;
            errno = 0;
            int one = socket(family, kind, 0);
            // Whoever is told that there is no such kind has asked the kernel, which has asked for a module.
            if (one >= 0 || (is_internet && errno != EPERM && errno != EACCES)) {
                char text[64];
                snprintf(text, sizeof text, "a socket of family %d", family);
                broke_out(text);
                close(one);
            }
        }
    }
    for (int protocol = 1; protocol < 300; protocol++) {
        for (int kind = SOCK_STREAM; kind <= SOCK_DGRAM; kind++) {
            int is_own = protocol == (kind == SOCK_STREAM ? 6 : 17), is_echo = kind == SOCK_DGRAM && (protocol == 1 || protocol == 58);
            if (is_own || is_echo) continue;
            if (socket(AF_INET, kind, protocol) >= 0 || (errno != EPERM && errno != EACCES)) broke_out("a rare protocol");
            if (socket(AF_INET6, kind, protocol) >= 0 || (errno != EPERM && errno != EACCES)) broke_out("a rare protocol of version 6");
        }
        if (socket(AF_INET, SOCK_RAW, protocol) >= 0 || socket(AF_INET6, SOCK_RAW, protocol) >= 0) broke_out("a raw socket");
    }
}
