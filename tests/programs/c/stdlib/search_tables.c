// search.h: tsearch trees, hsearch tables, lfind and lsearch, insque.
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static int compare_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void visit(const void *node, VISIT order, int depth) {
    if (order == postorder || order == leaf) printf("%s ", *(const char *const *)node);
    (void)depth;
}

int main(void) {
    static char *words[] = {"kiwi", "apple", "mango", "banana", "lemon", "apple", "cherry"};
    void *root = NULL;
    for (int i = 0; i < 7; i++) {
        char **slot = tsearch(words[i], &root, compare);
        printf("%d", *slot == words[i]);
    }
    putchar('\n');
    twalk(root, visit), putchar('\n');
    printf("%d %d\n", tfind("lemon", &root, compare) != NULL, tfind("grape", &root, compare) != NULL);
    tdelete("kiwi", &root, compare), tdelete("none", &root, compare);
    twalk(root, visit), putchar('\n');
    while (root) tdelete(*(char **)root, &root, compare);
    hcreate(50);
    static char names[30][8];
    for (int i = 0; i < 30; i++) {
        snprintf(names[i], 8, "key%d", i);
        hsearch((ENTRY){names[i], (void *)(long)(i * i)}, ENTER);
    }
    long sum = 0;
    int missing = 0;
    for (int i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, 8, "key%d", i);
        ENTRY *e = hsearch((ENTRY){name, 0}, FIND);
        if (e) sum += (long)e->data; else missing++;
    }
    hdestroy();
    printf("%ld %d\n", sum, missing);
    int table[10] = {5, 3, 8};
    size_t count = 3;
    int key = 8, extra = 4;
    printf("%td ", (int *)lfind(&key, table, &count, sizeof key, compare_int) - table);
    printf("%td %zu\n", (int *)lsearch(&extra, table, &count, sizeof key, compare_int) - table, count);
    struct link { struct link *next, *previous; int v; } a = {0, 0, 1}, b = {0, 0, 2}, c = {0, 0, 3};
    insque(&a, 0), insque(&b, &a), insque(&c, &a), remque(&c);
    printf("%d %d\n", a.next->v, b.previous->v);
    return 0;
}
