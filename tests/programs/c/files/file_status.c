// stat, fstat, lstat: sizes, types, permission bits, links; symlink and readlink.
//@ file: given.txt=twelve bytes
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *path) {
    struct stat s;
    if (stat(path, &s)) { printf("%s: error %d\n", path, errno == ENOENT); return; }
    printf("%s: %s", path, S_ISREG(s.st_mode) ? "file" : S_ISDIR(s.st_mode) ? "dir" : S_ISLNK(s.st_mode) ? "link" : "other");
    if (S_ISREG(s.st_mode)) printf(" %lld links %d", (long long)s.st_size, (int)s.st_nlink);
    putchar('\n');
}

int main(void) {
    show("given.txt"), show("."), show("absent");
    int fd = open("made", O_CREAT | O_WRONLY, 0600);
    struct stat s;
    fstat(fd, &s), printf("%o %lld\n", s.st_mode & 0777, (long long)s.st_size);
    write(fd, "12345", 5), fstat(fd, &s), printf("%lld\n", (long long)s.st_size);
    fchmod(fd, 0640), fstat(fd, &s), printf("%o\n", s.st_mode & 0777);
    close(fd);
    chmod("made", 0400), stat("made", &s), printf("%o\n", s.st_mode & 0777);
    printf("%d\n", symlink("given.txt", "alias"));
    show("alias");
    lstat("alias", &s), printf("%d %lld\n", S_ISLNK(s.st_mode) != 0, (long long)s.st_size);
    char target[40] = "";
    printf("%zd %s\n", readlink("alias", target, sizeof target), target);
    printf("%d\n", readlink("made", target, sizeof target) == -1 && errno == EINVAL);
    symlink("nowhere", "dangling"), show("dangling");
    link("made", "hard"), show("hard"), show("made");
    unlink("made"), show("hard"), show("made");
    stat("given.txt", &s);
    struct stat t;
    stat("alias", &t), printf("%d %d\n", s.st_ino == t.st_ino, s.st_dev == t.st_dev);
    truncate("given.txt", 6), show("given.txt");
    fstat(0, &s), printf("%d\n", S_ISDIR(s.st_mode));
    return 0;
}
