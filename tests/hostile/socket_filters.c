// Gives many sockets a filter of the largest size. They are translated into machine code, for which the whole machine has one bound.
#include "hostile.h"
#include <linux/filter.h>

static void attack(void) {
    static struct sock_filter steps[4096];
    for (int i = 0; i < 4095; i++) steps[i] = (struct sock_filter){BPF_ALU | BPF_ADD | BPF_K, 0, 0, 1};
    steps[4095] = (struct sock_filter){BPF_RET | BPF_K, 0, 0, 0xffff};
    struct sock_fprog program = {4096, steps};
    for (int number = 0; number < 500; number++) {
        int pair[2], one = socket(AF_INET, SOCK_DGRAM, 0);
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0) {
            broke_out("a filter of a socket");
            return;
        }
        if (one < 0) return;
        int yes = 1;
        setsockopt(one, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes);
        if (setsockopt(one, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program) == 0) {
            broke_out("a filter of a port");
            return;
        }
    }
}
