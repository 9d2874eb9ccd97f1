// A reference count of two bits: the fifth owner makes it one again.
//@ explore: --sym-stdin 7
//@ outcome: use-after-free
//@ stack: use main
//@ sanitizer: address
//@ run: witness
//@ stdin: gggg-u.
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <stdlib.h>

struct entry {
    unsigned references : 2;
    unsigned hits : 6;
    int value;
};

static int use(struct entry *entry) {
    return entry->value; // ERROR
}

static int drop(struct entry *entry) {
    entry->references--;
    if (entry->references > 0) return 0;
    free(entry);
    return 1;
}

int main(void) {
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) return 9;
    *entry = (struct entry){1, 0, 42};
    int owners = 1, c;
    while ((c = getchar()) != EOF && c != '.') {
        if (c == 'g') {
            entry->references++;
            owners++;
        } else if (c == '-') {
            owners--;
            drop(entry);
            if (owners == 0) {
                puts("gone");
                return 0;
            }
        } else if (c == 'u') {
            printf("%d\n", use(entry));
        } else {
            puts("unknown");
            return 1;
        }
    }
    return 0;
}
