// Asks services of the host to do what it cannot.
#include "hostile.h"
#include <sys/un.h>

static void attack(void) {
    const char *services[] = {"/run/dbus/system_bus_socket", "/run/systemd/notify", "/run/docker.sock", "/var/run/docker.sock",
                              "/dev/log", "/run/systemd/journal/socket", "/tmp/.X11-unix/X0", OUTSIDE "/socket"};
    for (int kind = SOCK_STREAM; kind <= SOCK_DGRAM; kind++) {
        for (int i = 0; i < 8; i++) {
            struct sockaddr_un address = {0};
            address.sun_family = AF_UNIX;
            strncpy(address.sun_path, services[i], sizeof address.sun_path - 1);
            int client = socket(AF_UNIX, kind, 0);
            if (client >= 0 && connect(client, (struct sockaddr *)&address, sizeof address) == 0) broke_out(services[i]);
            if (client >= 0 && sendto(client, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1) broke_out(services[i]);
            if (client >= 0) close(client);
        }
    }
}
