// Sends data to another machine (an address that is reserved for documentation).
#include "hostile.h"
#include <arpa/inet.h>
#include <netinet/in.h>

static void attack(void) {
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons(53);
    inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
    int packets = socket(AF_INET, SOCK_DGRAM, 0);
    if (packets >= 0 && sendto(packets, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1) broke_out("sendto");
    int stream = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (stream >= 0 && (connect(stream, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS)) broke_out("connect");
}
