// open, read, write, lseek, dup, dup2, pread, pwrite, ftruncate on regular files.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show(int fd) {
    char text[64];
    lseek(fd, 0, SEEK_SET);
    ssize_t n = read(fd, text, sizeof text);
    printf("%zd:", n);
    for (ssize_t i = 0; i < n; i++) putchar(text[i] ? text[i] : '0');
    putchar('\n');
}

int main(void) {
    int fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0644);
    printf("%d %zd\n", fd >= 3, write(fd, "0123456789", 10));
    printf("%ld %ld %ld\n", (long)lseek(fd, 3, SEEK_SET), (long)lseek(fd, 2, SEEK_CUR), (long)lseek(fd, -1, SEEK_END));
    write(fd, "XYZ", 3), show(fd);
    char part[4] = "";
    printf("%zd %.3s %ld\n", pread(fd, part, 3, 2), part, (long)lseek(fd, 0, SEEK_CUR));
    pwrite(fd, "--", 2, 5), show(fd);
    ftruncate(fd, 4), show(fd);
    ftruncate(fd, 8), show(fd);
    lseek(fd, 12, SEEK_SET), write(fd, "end", 3), show(fd);
    int copy = dup(fd);
    lseek(fd, 5, SEEK_SET);
    printf("%ld\n", (long)lseek(copy, 0, SEEK_CUR));
    close(fd);
    printf("%d %d\n", write(fd, "x", 1) == -1 && errno == EBADF, write(copy, "dup", 3) == 3);
    show(copy);
    int append = open("file", O_WRONLY | O_APPEND);
    lseek(append, 0, SEEK_SET), write(append, "+app", 4), close(append);
    show(copy);
    printf("%d", open("file", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
    printf(" %d", open("none", O_RDONLY) == -1 && errno == ENOENT);
    printf(" %d", open("file/x", O_RDONLY) == -1 && errno == ENOTDIR);
    printf(" %d\n", lseek(copy, -1, SEEK_SET) == -1 && errno == EINVAL);
    fflush(stdout);
    int saved = dup(1);
    dup2(copy, 1), ftruncate(1, 0), lseek(1, 0, SEEK_SET);
    printf("redirected\n"), fflush(stdout);
    dup2(saved, 1), close(saved);
    show(copy);
    return close(copy);
}
