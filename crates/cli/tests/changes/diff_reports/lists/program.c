#include <stdio.h>
#include <stdlib.h>
#ifndef SIZE
#define SIZE 8
#endif
#define GETTER(name, value) static int name(void) { return value; }
GETTER(first, 1)
GETTER(second, 2)

struct node { struct node *next; int value; };

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        goto fail;
    node->next = list;
    node->value = value;
    return node;
fail:
    fprintf(stderr,
            "out of memory: %d %s\n",
            value,
            "x");
    exit(1);
}

static int clamp(int n) { return n > SIZE ? SIZE : n < 0 ? 0 : n; }

int main(int argc, char **argv)
{
    struct node *list = NULL;
    int i = 0, total = 0;
    do {
        list = push(list, i * first());
        i++;
    } while (i < argc);
    for (struct node *n = list; n; n = n->next) {
        if (n->value % 2 == 0) {
            total += n->value;
        } else {
            total -= second();
        }
    }
    printf("%d\n", clamp(total));
    return 0;
}
