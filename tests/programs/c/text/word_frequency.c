// Counts words of stdin, sorts by count then name, and prints a histogram.
//@ stdin: It was the best of times, it was the worst of times,\nit was the age of wisdom... it was the age of foolishness;\nThe END: of it -- of the end!\n
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { char *text; int count; struct word *next; };
static struct word *buckets[31];
static int distinct;

static void count(const char *text) {
    unsigned h = 0;
    for (const char *p = text; *p; p++) h = h * 31 + (unsigned char)*p;
    struct word **slot = &buckets[h % 31];
    while (*slot && strcmp((*slot)->text, text)) slot = &(*slot)->next;
    if (!*slot) *slot = calloc(1, sizeof **slot), (*slot)->text = strdup(text), distinct++;
    (*slot)->count++;
}
static int compare(const void *a, const void *b) {
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}

int main(void) {
    char text[64];
    size_t n = 0;
    int c, total = 0;
    do {
        c = getchar();
        if (isalpha(c) && n < sizeof text - 1) text[n++] = (char)tolower(c);
        else if (n) text[n] = 0, count(text), n = 0, total++;
    } while (c != EOF);
    struct word *all[64];
    int at = 0;
    for (int i = 0; i < 31; i++) for (struct word *w = buckets[i]; w; w = w->next) all[at++] = w;
    qsort(all, (size_t)at, sizeof *all, compare);
    for (int i = 0; i < at; i++) {
        printf("%-12s %2d ", all[i]->text, all[i]->count);
        for (int k = 0; k < all[i]->count; k++) putchar('*');
        putchar('\n');
        free(all[i]->text), free(all[i]);
    }
    printf("%d of %d\n", distinct, total);
    return 0;
}
