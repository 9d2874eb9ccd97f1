// Opens sockets that see or reach more than a network namespace holds.
#include "hostile.h"

static void attack(void) {
    if (socket(AF_INET, SOCK_RAW, 1) >= 0) broke_out("a raw socket");
    if (socket(AF_PACKET, SOCK_RAW, 0) >= 0) broke_out("a packet socket");
    if (socket(AF_NETLINK, SOCK_RAW, 0) >= 0) broke_out("netlink");
    if (socket(40, SOCK_STREAM, 0) >= 0) broke_out("vsock");
    if (socket(38, SOCK_SEQPACKET, 0) >= 0) broke_out("the kernel's cryptography");
    if (socket(31, SOCK_RAW, 1) >= 0) broke_out("bluetooth");
}
