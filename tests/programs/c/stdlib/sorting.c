// qsort and bsearch with total orders over integers, strings, structs and large elements.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { int key; char name[12]; double weight; };
static long comparisons;

static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return comparisons++, (x > y) - (x < y); }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_record(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return strcmp(x->name, y->name);
}
static int by_digits(const void *key, const void *element) { return *(const int *)key - ((const struct record *)element)->key; }

int main(void) {
    int values[500];
    unsigned state = 3;
    for (int i = 0; i < 500; i++) state = state * 69069 + 1, values[i] = (int)(state >> 16) % 300 - 150;
    qsort(values, 500, sizeof *values, by_int);
    int sorted = 1, hash = 0;
    for (int i = 1; i < 500; i++) sorted &= values[i - 1] <= values[i], hash = (hash * 3 + values[i]) % 1000003;
    printf("%d %d %d\n", sorted, hash, comparisons > 500);
    for (int key = -3; key < 4; key++) {
        int *found = bsearch(&key, values, 500, sizeof *values, by_int);
        printf("%d ", found ? *found : 999);
    }
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date", "apricot", "Zebra", ""};
    qsort(words, 9, sizeof *words, by_text);
    for (int i = 0; i < 9; i++) printf("%s,", words[i]);
    putchar('\n');
    struct record records[30];
    for (int i = 0; i < 30; i++) {
        records[i].key = i * 7 % 5;
        snprintf(records[i].name, sizeof records[i].name, "n%02d", i * 11 % 30);
        records[i].weight = i / 4.0;
    }
    qsort(records, 30, sizeof *records, by_record);
    for (int i = 0; i < 30; i++) printf("%d%s%g ", records[i].key, records[i].name, records[i].weight);
    int key = 3;
    struct record *hit = bsearch(&key, records, 30, sizeof *records, by_digits);
    printf("\n%d\n", hit->key);
    qsort(values, 0, sizeof *values, by_int), qsort(values, 1, sizeof *values, by_int);
    return 0;
}
