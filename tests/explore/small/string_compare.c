// Which of a few words the argument is.
//@ explore: --sym-args 1 1 2
//@ run: known
//@ args: no
//@ run: other
//@ args: on
#include <stdio.h>
#include <string.h>

static int word(const char *text) {
    if (!strcmp(text, "ok")) return 1;
    if (!strcmp(text, "no")) return 2;
    if (!strcmp(text, "")) return 3;
    return strcmp(text, "m") < 0 ? 4 : 5;
}

int main(int argc, char **argv) {
    if (argc != 2) return 9;
    int found = word(argv[1]);
    printf("%d\n", found);
    return found;
}
