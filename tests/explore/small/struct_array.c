// A record chosen by the input, its fields of different widths.
//@ explore: --sym-stdin 1
//@ run: cheap
//@ stdin: 0
//@ run: none
//@ stdin: z
#include <stdio.h>

struct item {
    char letter;
    short price;
    unsigned char stock;
};

static struct item items[5] = {
    {'p', 120, 3}, {'q', -5, 0}, {'r', 700, 9}, {'s', 701, 1}, {'t', 0, 255},
};

int main(void) {
    int c = getchar();
    if (c < '0' || c > '4') {
        puts("none");
        return 1;
    }
    struct item *item = &items[c - '0'];
    if (item->price <= 0) puts("free");
    else if (item->price > 700) puts("dear");
    if (item->stock == 0) return 2;
    item->stock--;
    printf("%c %d\n", item->letter, item->stock > 8 ? 1 : 0);
    return 0;
}
