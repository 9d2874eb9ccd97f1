// -r releases the configuration and -p prints it; only -d between the two makes a new one.
//@ explore: --sym-args 0 3 2
//@ outcome: use-after-free
//@ stack: print_configuration main
//@ sanitizer: address
//@ run: witness
//@ args: -c -r -p
//@ run: trivial
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct configuration {
    int level;
    char name[12];
};

static struct configuration *make(const char *name, int level) {
    struct configuration *made = malloc(sizeof *made);
    if (!made) exit(4);
    made->level = level;
    strcpy(made->name, name);
    return made;
}

static void print_configuration(const struct configuration *configuration) {
    printf("level %d\n", configuration->level); // ERROR
}

int main(int argc, char **argv) {
    struct configuration *current = NULL;
    int released = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (argument[0] != '-' || strlen(argument) != 2) return 2;
        switch (argument[1]) {
        case 'c':
            if (!current) current = make("custom", 3);
            break;
        case 'd':
            if (!current || released) current = make("default", 0);
            released = 0;
            break;
        case 'r':
            if (current && !released) free(current);
            released = 1;
            break;
        case 'p':
            if (current) print_configuration(current);
            break;
        default:
            return 3;
        }
    }
    return 0;
}
