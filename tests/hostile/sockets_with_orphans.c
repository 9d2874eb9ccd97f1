// Has more sockets than a run may, while orphans end all the time: who waits for them has no time to look.
#include "hostile.h"

static void attack(void) {
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    // Without namespaces there are no sockets.
    if (probe < 0) return;
    close(probe);
    let_orphans_die();
    for (int child = 0; child < 12; child++) {
        if (fork() != 0) continue;
        int pair[2];
        while (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) {
        }
        for (;;) pause();
    }
    wait_for_the_limit();
}
