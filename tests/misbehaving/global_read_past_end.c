// Reads past a global table.
//@ outcome: out-of-bounds
//@ stack: month_name main
//@ sanitizer: undefined
//@ args: 12
#include <stdio.h>
#include <stdlib.h>

static const char *months[12] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

static const char *month_name(int month) {
    return months[month]; // ERROR
}

int main(int argc, char **argv) {
    const char *name = month_name(atoi(argv[1]));
    printf("%s\n", name ? name : "?");
    return argc == 0;
}
