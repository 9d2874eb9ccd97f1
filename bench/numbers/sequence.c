/* The numbers from the first argument to the second, up to five of them. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return fputs("usage: sequence FIRST LAST\n", stderr), 2;
    int first = atoi(argv[1]), last = atoi(argv[2]);
    for (int number = first, count = 0; number <= last && count < 5; number++, count++)
        printf("%d\n", number);
    return 0;
}
