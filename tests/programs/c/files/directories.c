// mkdir, opendir, readdir (sorted), rmdir, rename, unlink, chdir, getcwd tails, access.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void list(const char *path) {
    DIR *d = opendir(path);
    if (!d) { printf("%s: errno %d\n", path, errno == ENOENT ? 2 : errno == ENOTDIR ? 20 : -1); return; }
    char names[20][40];
    int n = 0;
    for (struct dirent *e; (e = readdir(d)) && n < 20;) strcpy(names[n++], e->d_name);
    closedir(d);
    qsort(names, (size_t)n, sizeof *names, compare);
    printf("%s:", path);
    for (int i = 0; i < n; i++) printf(" %s", names[i]);
    putchar('\n');
}
static void touch(const char *path) { int fd = open(path, O_WRONLY | O_CREAT, 0644); if (fd >= 0) close(fd); else printf("%s %d\n", path, errno == ENOENT); }

int main(void) {
    printf("%d %d %d\n", mkdir("top", 0755), mkdir("top/sub", 0755), mkdir("top", 0755) == -1 && errno == EEXIST);
    touch("top/b"), touch("top/a"), touch("top/sub/c"), touch("missing/d");
    list("."), list("top"), list("top/sub"), list("nowhere"), list("top/a");
    printf("%d\n", rmdir("top") == -1 && (errno == ENOTEMPTY || errno == EEXIST));
    printf("%d %d\n", rename("top/a", "top/sub/moved"), rename("top/b", "top/sub/c"));
    list("top"), list("top/sub");
    printf("%d %d\n", access("top/sub/moved", F_OK), access("top/a", F_OK) == -1 && errno == ENOENT);
    char path[1000];
    printf("%d %s\n", chdir("top/sub"), strrchr(getcwd(path, sizeof path), '/'));
    list("."), touch("../up"), list("..");
    printf("%d %d %d\n", unlink("c"), unlink("moved"), unlink("c") == -1 && errno == ENOENT);
    printf("%d %d\n", chdir("../.."), rename("top/sub", "renamed"));
    printf("%d %d %d\n", unlink("top/up"), rmdir("top"), rmdir("renamed"));
    list(".");
    printf("%d\n", rmdir("renamed") == -1 && errno == ENOENT);
    return 0;
}
