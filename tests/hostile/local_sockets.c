// Connects to sockets of the host that have names in the file system, or none.
#include "hostile.h"
#include <sys/un.h>

static void attack(void) {
    struct sockaddr_un address = {0};
    address.sun_family = AF_UNIX;
    int named = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(address.sun_path, OUTSIDE "/socket", sizeof address.sun_path - 1);
    if (named >= 0 && connect(named, (struct sockaddr *)&address, sizeof address) == 0) broke_out("a socket with a name");
    memset(address.sun_path, 0, sizeof address.sun_path);
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "parallax-hostile-%d", PORT);
    int nameless = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t size = (socklen_t)(sizeof(sa_family_t) + 1 + (size_t)length);
    if (nameless >= 0 && connect(nameless, (struct sockaddr *)&address, size) == 0) broke_out("an abstract socket");
}
