#include <stdio.h>

int grade(int points, int bonus)
{
    int level;
    int extra = bonus ? 5 : 0;
    if (points > 90)
        level = 1;
    else if (points > 60)
        level = 2;
    else
        level = 3;
    if (extra && level > 1)
        level--;
    return level;
}

int main(int argc, char **argv)
{
    printf("%d\n", grade(argc * 10, argc > 3));
    return 0;
}
