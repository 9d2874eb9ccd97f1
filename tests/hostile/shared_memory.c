// Reads, changes and removes a shared memory segment of the host.
#include "hostile.h"
#include <sys/ipc.h>
#include <sys/shm.h>

static void attack(void) {
    if (!KEY) return;
    int segment = shmget(KEY, 0, 0);
    if (segment < 0) return;
    char *bytes = shmat(segment, NULL, 0);
    if (bytes != (char *)-1) {
        memcpy(bytes, "hostile", 8);
        broke_out("shmat");
    }
    if (shmctl(segment, IPC_RMID, NULL) == 0) broke_out("IPC_RMID");
}
