// Connects to a server of the host over the loopback interface.
#include "hostile.h"
#include <arpa/inet.h>
#include <netinet/in.h>

static void attack(void) {
    if (!PORT) return;
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons(PORT);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    if (stream >= 0 && connect(stream, (struct sockaddr *)&address, sizeof address) == 0) broke_out("connect");
    int packets = socket(AF_INET, SOCK_DGRAM, 0);
    if (packets >= 0) sendto(packets, "hostile", 7, 0, (struct sockaddr *)&address, sizeof address);
}
