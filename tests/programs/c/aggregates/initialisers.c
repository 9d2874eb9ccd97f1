// Designated initialisers, ranges, nested defaults, compound literals, string initialisers.
#include <stdio.h>
#include <string.h>

struct date { int year, month, day; };
struct event { const char *name; struct date at; int tags[4]; struct { char c; double d; } extra; };

static int sparse[20] = {[3] = 3, 4, [10 ... 13] = 7, [19] = -1};
static struct event calendar[] = {
    [2] = {"third", {.day = 3, .year = 1999}, {[2] = 5}, {'c'}},
    [0] = {.name = "first", .at.month = 12, .at = {.day = 9}, .tags = {1, 2, [3] = 4}},
    {.extra = {.d = 2.5, .c = 'z'}, .name = "second"},
};
static char exact[4] = "abcd", padded[8] = "abc", braces[] = {"xyz"};
static int grid[][3] = {{1}, {[2] = 6, [0] = 4}, 7, 8, 9};
static const char *const names[] = {[1] = "one", "two", [0] = "zero"};
static struct date *pointer = &(struct date){2020, 2, 29};

static int total(const int *v, int n) { int t = 0; while (n--) t += v[n]; return t; }
static void print(struct date d) { printf("%d-%d-%d\n", d.year, d.month, d.day); }

int main(void) {
    for (int i = 0; i < 20; i++) printf("%d ", sparse[i]);
    putchar('\n');
    for (size_t i = 0; i < sizeof calendar / sizeof *calendar; i++) {
        struct event *e = &calendar[i];
        printf("%s %d/%d/%d %d%d%d%d %d %g\n", e->name, e->at.year, e->at.month, e->at.day, e->tags[0], e->tags[1], e->tags[2], e->tags[3], e->extra.c,
               e->extra.d);
    }
    printf("%.4s %zu %d %zu\n", exact, strlen(padded), padded[7], sizeof braces);
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) printf("%d,%d,%d ", grid[i][0], grid[i][1], grid[i][2]);
    printf("\n%s %s %s\n", names[0], names[1], names[2]);
    print(*pointer), print((struct date){.month = 5});
    printf("%d\n", total((int[]){1, 2, 3, 4, 5}, 5));
    for (int i = 0; i < 3; i++) {
        struct date *d = &(struct date){.day = i};
        d->year += i * 10, print(*d);
    }
    char *text = (char[]){"mutable"};
    text[0] = 'M', puts(text);
    return 0;
}
