// Has the kernel watch each of its descriptors by many others.
#include "hostile.h"
#include <sys/epoll.h>

static void attack(void) {
    for (int child = 0; child < 16; child++) {
        if (fork() != 0) continue;
        int many[480];
        for (int number = 0; number < 480; number++) {
            int pair[2];
            if (pipe(pair) != 0) break;
            close(pair[1]);
            many[number] = pair[0];
            int watcher = epoll_create1(0);
            struct epoll_event event = {.events = EPOLLIN};
            for (int other = 0; other <= number; other++) {
                epoll_ctl(watcher, EPOLL_CTL_ADD, many[other], &event);
            }
        }
        wait_for_the_limit();
    }
    wait_for_the_limit();
}
