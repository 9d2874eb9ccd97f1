// Changes a file outside through a shared mapping.
#include "hostile.h"

static void attack(void) {
    int file = open(OUTSIDE "/file", O_RDWR);
    if (file < 0) return;
    char *bytes = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) return;
    memcpy(bytes, "map", 4);
    broke_out("mmap");
}
