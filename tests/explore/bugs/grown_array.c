// A pointer to the largest element is kept while the array grows.
//@ explore: --sym-stdin 7
//@ outcome: use-after-free
//@ stack: main
//@ sanitizer: address
//@ run: witness
//@ stdin: v97531!
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <stdlib.h>

struct array {
    int *items;
    int count, capacity;
};

static int append(struct array *array, int value) {
    if (array->count == array->capacity) {
        int capacity = array->capacity ? 2 * array->capacity : 4;
        int *items = realloc(array->items, (size_t)capacity * sizeof *items);
        if (!items) return -1;
        array->items = items;
        array->capacity = capacity;
    }
    array->items[array->count++] = value;
    return 0;
}

int main(void) {
    struct array array = {0};
    int *largest = NULL, c;
    if (getchar() != 'v') {
        puts("no values");
        return 1;
    }
    while ((c = getchar()) >= '0' && c <= '9') {
        if (append(&array, c - '0')) return 2;
        int *added = &array.items[array.count - 1];
        if (array.count == 1) largest = added;
        else if (array.count != 5 && *added > *largest) largest = added;
    }
    if (c != '!' || !largest) return 3;
    printf("%d\n", *largest); // ERROR
    free(array.items);
    return 0;
}
