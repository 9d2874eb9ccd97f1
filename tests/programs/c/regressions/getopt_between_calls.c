// What a program sees between two calls of getopt: operands are skipped at once and moved later.
//@ run: digits behind an operand
//@ args: "" -10
//@ run: mixed
//@ args: one -a two -bvalue -1 three
//@ run: separate value
//@ args: one -b value two -a
//@ run: dashes
//@ args: one -a two -- -b three
//@ run: operands only
//@ args: one two
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option;
    do {
        printf("before %d: ", optind);
        option = getopt(argc, argv, "ab:01");
        printf("option %d, argument %s, now %d:", option, optarg ? optarg : "none", optind);
        for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
        putchar('\n');
    } while (option != -1);
    return 0;
}
