// Uses names that all processes of the machine share: message queues, semaphores, sockets' names, the host's keys.
#include "hostile.h"
#include <mqueue.h>
#include <semaphore.h>
#include <sys/sem.h>
#include <sys/un.h>

static void attack(void) {
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    if (syscall(SYS_mq_open, "hostile", O_RDWR | O_CREAT, 0666, &attributes) >= 0) broke_out("a message queue");
    int file = open("/dev/shm/sem.hostile", O_RDWR | O_CREAT, 0666);
    if (file >= 0) broke_out("a named semaphore");
    file = open("/dev/mqueue/hostile", O_RDWR | O_CREAT, 0666);
    if (file >= 0) broke_out("a message queue's file");
    if (syscall(SYS_shmat, KEY, NULL, 0) != -1) broke_out("shmat");
    // Its own are gone with it; those of the host have these keys.
    if (KEY && semget(KEY, 1, 0) >= 0) broke_out("a semaphore of the host");
    if (syscall(SYS_msgget, 1234, 01666) >= 0) broke_out("a System V message queue");
}
