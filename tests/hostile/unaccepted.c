// Leaves what it sends with sockets that nobody accepts, and that no descriptor shows.
#include "hostile.h"
#include <sys/un.h>

static void attack(void) {
    static char bytes[1 << 15];
    unsigned long sent = 0;
    for (int number = 0; number < 8; number++) {
        struct sockaddr_un name = {AF_UNIX, ""};
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hostile-%d-%d", getpid(), number);
        int listener = socket(AF_UNIX, SOCK_STREAM, 0);
        if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) != 0 || listen(listener, 4096) != 0) return;
        for (int caller = 0; caller < 2048; caller++) {
            int call = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
            if (call < 0 || connect(call, (struct sockaddr *)&name, sizeof name) != 0) {
                close(call);
                break;
            }
            ssize_t length;
            while ((length = write(call, bytes, sizeof bytes)) > 0) sent += (unsigned long)length;
            close(call);
        }
    }
    if (sent > 1UL << 30) wait_for_the_limit();
}
