// Many processes use all memory together, each of them not too much.
#include "hostile.h"

static void attack(void) {
    int done[2];
    char byte;
    if (pipe(done) != 0) return;
    for (int child = 0; child < 12; child++) {
        if (fork() == 0) {
            char *bytes = malloc(256 << 20);
            if (bytes) memset(bytes, 1, 256 << 20);
            write(done[1], "x", 1);
            pause();
            _exit(0);
        }
    }
    close(done[1]);
    for (int child = 0; child < 12; child++) {
        if (read(done[0], &byte, 1) != 1) return;
    }
    wait_for_the_limit();
}
