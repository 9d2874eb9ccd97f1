// Reads a field through the null result of a failed search.
//@ outcome: null-dereference
//@ stack: main
//@ sanitizer: undefined
#include <stdio.h>
#include <string.h>

struct entry { const char *name; int value; };
static struct entry table[] = {{"one", 1}, {"two", 2}};

static struct entry *find(const char *name) {
    for (int i = 0; i < 2; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    return NULL;
}

int main(void) {
    printf("%d\n", find("two")->value);
    fflush(stdout);
    printf("%d\n", find("three")->value); // ERROR
    return 0;
}
