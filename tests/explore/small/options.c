// getopt on one short argument.
//@ explore: --sym-args 1 1 2
//@ run: flag
//@ args: -v
//@ run: value
//@ args: -n7
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int verbose = 0, option;
    const char *number = NULL;
    opterr = 0;
    while ((option = getopt(argc, argv, "vqn:")) != -1) {
        switch (option) {
        case 'v':
            verbose++;
            break;
        case 'q':
            verbose--;
            break;
        case 'n':
            number = optarg;
            break;
        default:
            puts("unknown");
            return 2;
        }
    }
    if (number) printf("number %s\n", *number == '0' ? "zero" : "other");
    printf("%d %d\n", verbose, argc - optind);
    return 0;
}
