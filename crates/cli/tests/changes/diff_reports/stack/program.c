#include <stdio.h>
#include "stack.h"

int main(int argc, char **argv)
{
    struct stack s = {0};
    for (int i = 0; i < argc; i++)
        push(&s, i);
    printf("%d\n", s.used);
    return 0;
}
