// Becomes a server that others can connect to.
#include "hostile.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>

static void attack(void) {
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons(PORT + 1);
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    if (stream < 0 || bind(stream, (struct sockaddr *)&address, sizeof address) != 0 || listen(stream, 5) != 0) return;
    if (fork() != 0) return;
    setsid();
    prctl(PR_SET_NAME, DAEMON, 0, 0, 0);
    sleep(600);
    _exit(0);
}
