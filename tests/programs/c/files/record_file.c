// A binary file of fixed-size records: append, update in place, delete by moving the last, index.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record { uint32_t id; char name[12]; int16_t score; uint16_t flags; };

static int find(FILE *f, uint32_t id, struct record *r) {
    rewind(f);
    for (int at = 0; fread(r, sizeof *r, 1, f) == 1; at++) if (r->id == id) return at;
    return -1;
}
static long count(FILE *f) { fseek(f, 0, SEEK_END); return ftell(f) / (long)sizeof(struct record); }

int main(void) {
    FILE *f = fopen("records.db", "w+b");
    for (uint32_t i = 1; i <= 40; i++) {
        struct record r;
        memset(&r, 0, sizeof r);
        r.id = i * 37 % 101, r.score = (int16_t)(i * i - 500), r.flags = (uint16_t)(i << 8 | i);
        snprintf(r.name, sizeof r.name, "rec-%u", i);
        fwrite(&r, sizeof r, 1, f);
    }
    struct record r;
    for (uint32_t id = 0; id < 101; id += 5) {
        int at = find(f, id, &r);
        if (at < 0) continue;
        r.score = (int16_t)-r.score, r.name[0] = 'R';
        fseek(f, at * (long)sizeof r, SEEK_SET), fwrite(&r, sizeof r, 1, f), fflush(f);
        printf("%u@%d ", id, at);
    }
    printf("\n%ld\n", count(f));
    for (uint32_t id = 1; id < 101; id += 9) {
        int at = find(f, id, &r);
        long n = count(f);
        if (at < 0) continue;
        fseek(f, (n - 1) * (long)sizeof r, SEEK_SET), fread(&r, sizeof r, 1, f);
        fseek(f, at * (long)sizeof r, SEEK_SET), fwrite(&r, sizeof r, 1, f);
        r.id = 0xffffffff, fseek(f, (n - 1) * (long)sizeof r, SEEK_SET), fwrite(&r, sizeof r, 1, f);
    }
    rewind(f);
    long sum = 0, live = 0;
    while (fread(&r, sizeof r, 1, f) == 1) if (r.id != 0xffffffff) sum = sum * 31 % 1000003 + r.score + r.flags + r.name[0], live++;
    printf("%ld %ld %zu\n", live, sum, sizeof r);
    fclose(f);
    return remove("records.db");
}
