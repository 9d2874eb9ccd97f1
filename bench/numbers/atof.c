/* A fraction given as an argument. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 0;
    if (seconds <= 0)
        return puts("not at all"), 1;
    if (seconds < 0.5)
        puts("short");
    else if (seconds > 100)
        puts("long");
    else
        puts("ordinary");
    return 0;
}
