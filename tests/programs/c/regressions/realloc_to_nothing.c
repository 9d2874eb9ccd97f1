// realloc(p, 0) frees and gives NULL, as glibc does; realloc(NULL, 0) and malloc(0) give a block.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile size_t none = 0;
    char *volatile p = malloc(4);
    p = realloc(p, none);
    char *volatile q = realloc(NULL, none), *volatile r = malloc(none);
    printf("%d %d %d\n", p != NULL, q != NULL, r != NULL);
    free(p), free(q), free(r);
    return 0;
}
