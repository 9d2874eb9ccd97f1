// An array inside a struct overflows so far that the write leaves the object.
//@ outcome: out-of-bounds
//@ stack: set_name main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct user { int id; char name[8]; int flags; };

static void set_name(struct user *user, const char *name) {
    char *to = user->name;
    while ((*to++ = *name++)); // ERROR
}

int main(void) {
    struct user *user = malloc(sizeof *user);
    set_name(user, "a name of far more than twelve bytes");
    printf("%s\n", user->name);
    free(user);
    return 0;
}
