/* An option with a number, read with strtol and checked as command line tools do it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    char *end;
    errno = 0;
    long lines = strtol(argv[1], &end, 10);
    if (errno == ERANGE)
        return fprintf(stderr, "%s: out of range\n", argv[1]), 2;
    if (end == argv[1] || *end != '\0')
        return fprintf(stderr, "%s: not a number\n", argv[1]), 2;
    if (lines < 0)
        printf("last %ld\n", -lines);
    else if (lines >= 1000)
        printf("%ld thousand\n", lines / 1000);
    else
        printf("first %ld\n", lines);
    return 0;
}
