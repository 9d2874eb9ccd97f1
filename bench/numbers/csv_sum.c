/* The sums of the columns of a table with two columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[64];
    long sums[2] = {0, 0};
    int rows = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *comma = strchr(line, ',');
        sums[0] += atol(line);
        if (comma)
            sums[1] += atol(comma + 1);
        rows++;
    }
    printf("%d,%ld,%ld\n", rows, sums[0], sums[1]);
    return 0;
}
