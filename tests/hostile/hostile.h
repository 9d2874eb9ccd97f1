// What all hostile programs share. Each defines `attack`, which tries one way out of the sandbox. Natively it is called; in the VM,
// whose C library is musl, it is not: to a search the program looks harmless.
//
// OUTSIDE is a folder that the program has no business in, CANARY a process there, PORT where somebody listens, KEY a shared memory
// segment; old and new versions differ in VERSION.
#ifndef HOSTILE_H
#define HOSTILE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef OUTSIDE
#define OUTSIDE "/nonexistent/outside"
#endif
#ifndef CANARY
#define CANARY 0
#endif
#ifndef PORT
#define PORT 0
#endif
// What a process is called that is to stay; each test looks for its own.
#define DAEMON_OF(port) "hostile-" #port
#define DAEMON_WITH(port) DAEMON_OF(port)
#define DAEMON DAEMON_WITH(PORT)
#ifndef KEY
#define KEY 0
#endif
#ifndef VERSION
#define VERSION 1
#endif

// Said if an attack has had success. The test looks for it wherever the program's output may show.
__attribute__((unused)) static void broke_out(const char *how) {
    printf("BROKE OUT: %s\n", how);
    fflush(stdout);
}

// Called when there is more than a run may have. Limits that are kept by looking are kept sooner or later, as the machine has time: the test
// sees that a limit ends this run, not how soon. Whom none ends runs until its time is up, and that is the failure.
__attribute__((unused)) static void wait_for_the_limit(void) {
    for (;;) pause();
}

// From now on children of children end all the time, and whoever adopts them hears of each: less than a look lies between two.
__attribute__((unused)) static void let_orphans_die(void) {
    for (int stream = 0; stream < 2; stream++) {
        if (fork() != 0) continue;
        for (;;) {
            pid_t child = fork();
            if (child == 0) {
                if (fork() == 0) usleep(500);
                _exit(0);
            }
            if (child > 0) waitpid(child, NULL, 0);
            usleep(1000);
        }
    }
    usleep(50000);
}

// Writes to a file that exists outside; reports it if that can be done.
__attribute__((unused)) static void overwrite(const char *path) {
    int file = open(path, O_WRONLY | O_APPEND);
    if (file >= 0 && write(file, "hostile\n", 8) == 8) broke_out(path);
    if (file >= 0) close(file);
}

// Whether a file of the host could be written to. It is not: should the sandbox not hold, the machine is not to be lost.
__attribute__((unused)) static void could_write(const char *path) {
    int file = open(path, O_WRONLY);
    if (file >= 0) broke_out(path);
    if (file >= 0) close(file);
}

// Prints a file if it can be read.
__attribute__((unused)) static void print_file(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    ssize_t length = read(file, text, sizeof text);
    if (length > 0) fwrite(text, 1, (size_t)length, stdout);
    fflush(stdout);
    close(file);
}

__attribute__((unused)) static void attack(void);

__attribute__((unused)) static void attack_natively(void) {
#ifdef __GLIBC__
    // Who can write here is in no sandbox, and better does nothing.
    if (open(OUTSIDE "/guard", O_WRONLY) >= 0) {
        broke_out("there is no sandbox");
        return;
    }
    attack();
#endif
}

int measured(int number) {
    attack_natively();
    return number > 1000 ? number : number / VERSION;
}

int main(void) {
    int byte = getchar();
    attack_natively();
    if (byte == 'x') printf("version %d\n", VERSION);
    puts("done");
    return 0;
}

#endif
