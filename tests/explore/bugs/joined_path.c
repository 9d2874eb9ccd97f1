// Two parts of a path are joined; the check forgets the slash between them.
//@ explore: --sym-args 2 2 6
//@ outcome: out-of-bounds
//@ stack: join main
//@ sanitizer: address
//@ run: witness
//@ args: /abcde .rc-12
//@ run: trivial
//@ args: '' ''
#include <stdio.h>
#include <string.h>

static int join(char *path, size_t size, const char *folder, const char *name) {
    size_t length = strlen(folder);
    if (length + strlen(name) + 1 > size) return -1;
    char *at = path;
    for (size_t i = 0; i < length; i++) *at++ = folder[i];
    if (length > 0 && folder[length - 1] != '/') *at++ = '/';
    while (*name) *at++ = *name++;
    *at = 0; // ERROR
    return 0;
}

int main(int argc, char **argv) {
    char path[13];
    if (argc != 3) return 1;
    const char *folder = argv[1], *name = argv[2];
    if (folder[0] != '/') {
        puts("not an absolute path");
        return 2;
    }
    if (strchr(name, '/') || strncmp(name, ".rc", 3)) {
        puts("not a name");
        return 3;
    }
    if (join(path, sizeof path, folder, name)) {
        puts("too long");
        return 4;
    }
    puts(path);
    return 0;
}
