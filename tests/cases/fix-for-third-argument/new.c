#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 4) {
        puts("usage: FROM TO STEP");
        return 2;
    }
    int step = argv[3][0] - '0';
    printf("%d\n", step < 0 ? 0 : step > 9 ? 9 : step);
    return 0;
}
