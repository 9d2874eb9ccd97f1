// Looks for capabilities, also inherited ones.
#include "hostile.h"

static void attack(void) {
    char text[4096] = "";
    int file = open("/proc/self/status", O_RDONLY);
    if (file >= 0) read(file, text, sizeof text - 1);
    const char *names[] = {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"};
    for (int i = 0; i < 5; i++) {
        const char *line = strstr(text, names[i]);
        // Without root's rights the bound may stay: nothing can be inside it any more.
        if (line && i != 3 && strtoull(line + 7, NULL, 16) != 0) broke_out(names[i]);
    }
    if (text[0] && !strstr(text, "NoNewPrivs:\t1")) broke_out("new privileges");
    if (text[0] && !strstr(text, "Seccomp:\t2")) broke_out("no filter");
}
