// getopt: clustered options, arguments attached or separate, "--", unknown ones (musl does not permute).
//@ run: clustered
//@ args: -abc value file1 file2
//@ run: attached
//@ args: -cvalue -b first second
//@ run: double dash
//@ args: -a -- -b -c
//@ run: errors
//@ args: -x -a -yb tail
//@ run: none
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option;
    opterr = 0;
    while ((option = getopt(argc, argv, "abc:")) != -1) {
        if (option == '?') printf("bad '%c'\n", optopt);
        else printf("%c %s\n", option, option == 'c' ? optarg : "-");
    }
    printf("%d of %d:", optind, argc);
    for (int i = optind; i < argc; i++) printf(" %s", argv[i]);
    putchar('\n');
    optind = 1;
    int n = 0;
    while ((option = getopt(argc, argv, ":abc:")) != -1) n = n * 31 + option;
    printf("%d\n", n);
    return argc - optind;
}
