// Writes to what `/proc` lets a process change of itself, as far as others would notice.
#include "hostile.h"

static void attack(void) {
    const char *files[][2] = {{"uid_map", "0 0 4294967295\n"}, {"gid_map", "0 0 4294967295\n"}, {"projid_map", "0 0 1\n"}, {"setgroups", "allow"},
                              {"oom_score_adj", "-1000"}, {"loginuid", "0"}, {"attr/exec", "unconfined"}, {"attr/current", "unconfined"},
                              {"timens_offsets", "boottime 1 0\n"}, {"autogroup", "-20"}, {"make-it-fail", "1"}, {"sched", "0"}};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        const char *places[] = {"self", "thread-self", "1"};
        for (int place = 0; place < 3; place++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%s/%s", places[place], files[i][0]);
            int file = open(path, O_WRONLY);
            // Resetting one's own counters is nobody else's business.
            if (file >= 0 && write(file, files[i][1], strlen(files[i][1])) > 0 && (place == 2 || i != 11)) broke_out(path);
            if (file >= 0) close(file);
        }
    }
}
