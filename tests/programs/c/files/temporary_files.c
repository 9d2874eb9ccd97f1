// A merge of sorted runs through temporary files with fixed names; tmpfile.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int by_value(const void *a, const void *b) { unsigned x = *(unsigned *)a, y = *(unsigned *)b; return (x > y) - (x < y); }

int main(void) {
    enum { RUNS = 5, LENGTH = 200 };
    unsigned state = 77, buffer[LENGTH], head[RUNS];
    FILE *run[RUNS];
    for (int r = 0; r < RUNS; r++) {
        char name[20];
        snprintf(name, sizeof name, "run%d.tmp", r);
        for (int i = 0; i < LENGTH; i++) state = state * 1103515245 + 12345, buffer[i] = state >> 16;
        qsort(buffer, LENGTH, sizeof *buffer, by_value);
        run[r] = fopen(name, "w+");
        for (int i = 0; i < LENGTH; i++) fprintf(run[r], "%u\n", buffer[i]);
        rewind(run[r]);
        unlink(name);
    }
    int live[RUNS], alive = 0, out_of_order = 0, total = 0;
    for (int r = 0; r < RUNS; r++) live[r] = fscanf(run[r], "%u", &head[r]) == 1, alive += live[r];
    unsigned last = 0, hash = 0;
    while (alive) {
        int least = -1;
        for (int r = 0; r < RUNS; r++)
            if (live[r] && (least < 0 || head[r] < head[least])) least = r;
        out_of_order += head[least] < last, last = head[least], hash = hash * 31 + last, total++;
        if (fscanf(run[least], "%u", &head[least]) != 1) live[least] = 0, alive--;
    }
    for (int r = 0; r < RUNS; r++) fclose(run[r]);
    printf("%d %d %u\n", total, out_of_order, hash);
    FILE *t = tmpfile();
    fputs("temporary", t), rewind(t);
    char text[20];
    printf("%s %d\n", fgets(text, sizeof text, t), access("run0.tmp", F_OK));
    fclose(t);
    return 0;
}
