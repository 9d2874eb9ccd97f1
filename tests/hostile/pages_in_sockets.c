// Has sockets hold the pages of files that are gone: no process, no folder and no limit of sockets knows of them.
#include "hostile.h"
#include <sys/sendfile.h>

#define SIZE (8L << 20)

static void attack(void) {
    static char bytes[1 << 20];
    unsigned long held = 0;
    for (int number = 0; number < 200; number++) {
        int pair[2], ends[2], file = open("pages", O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (file < 0) break;
        unlink("pages");
        for (long done = 0; done < SIZE; done += (long)sizeof bytes) write(file, bytes, sizeof bytes);
        if (pipe(ends) == 0) {
            loff_t start = 0;
            if (splice(file, &start, ends[1], NULL, 4096, SPLICE_F_NONBLOCK) > 0) broke_out("splice");
            if (tee(ends[0], ends[1], 4096, SPLICE_F_NONBLOCK) > 0) broke_out("tee");
            close(ends[0]);
            close(ends[1]);
        }
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0) {
            off_t start = 0;
            ssize_t length;
            while ((length = sendfile(pair[0], file, &start, SIZE)) > 0) held += (unsigned long)length;
        }
        close(file);
    }
    if (held > 0) broke_out("pages of files in sockets");
}
