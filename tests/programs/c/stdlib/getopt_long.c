// getopt_long: abbreviations, optional and required arguments, flags, long-only errors.
//@ run: all forms
//@ args: --verbose --output=out.txt --level --level=3 -o short plain
//@ run: abbreviated
//@ args: --verb --out x --quiet rest
//@ run: errors
//@ args: --nothing --output
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static int quiet;
    static const struct option options[] = {{"verbose", no_argument, 0, 'v'},
                                            {"output", required_argument, 0, 'o'},
                                            {"level", optional_argument, 0, 'l'},
                                            {"quiet", no_argument, &quiet, 5},
                                            {0, 0, 0, 0}};
    int c, index;
    opterr = 0;
    while (index = -1, (c = getopt_long(argc, argv, "vo:l::", options, &index)) != -1)
        switch (c) {
        case 0: printf("flag %s\n", options[index].name); break;
        case 'v': puts("verbose"); break;
        case 'o': printf("output %s\n", optarg); break;
        case 'l': printf("level %s\n", optarg ? optarg : "default"); break;
        default: puts("error");
        }
    printf("quiet %d\n", quiet);
    for (int i = optind; i < argc; i++) printf("rest %s\n", argv[i]);
    return 0;
}
