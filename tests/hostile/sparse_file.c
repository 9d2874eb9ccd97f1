// Makes a file whose size is larger than any disk.
#include "hostile.h"

static void attack(void) {
    signal(SIGXFSZ, SIG_IGN);
    int file = open("sparse", O_WRONLY | O_CREAT, 0644);
    if (ftruncate(file, 1LL << 40) == 0) broke_out("ftruncate");
}
