// strchr, strstr and memcmp on the argument.
//@ explore: --sym-args 1 1 2
//@ run: inside
//@ args: ea
//@ run: outside
//@ args: x
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2) return 9;
    const char *text = argv[1];
    if (strchr(text, '=')) {
        puts("assignment");
        return 1;
    }
    if (*text && strstr("sea shell", text)) {
        puts("part of it");
        return 2;
    }
    if (strlen(text) == 2 && memcmp(text, "zz", 2) > 0) return 3;
    puts("other");
    return 0;
}
