// Leaves files with strange names, and folders inside each other, behind.
#include "hostile.h"

static void attack(void) {
    close(open("a\nname with\ttabs and \x1b[31mcolours", O_WRONLY | O_CREAT, 0644));
    close(open("\xff\xfe", O_WRONLY | O_CREAT, 0644));
    close(open("-rf", O_WRONLY | O_CREAT, 0644));
    for (int depth = 0; depth < 600; depth++) {
        if (mkdir("d", 0755) != 0 || chdir("d") != 0) return;
    }
}
