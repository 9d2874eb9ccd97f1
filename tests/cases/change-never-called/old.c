#include <stdio.h>

__attribute__((used)) static int unused(int n) { return n + 1; }

int main(void)
{
    int c = getchar();
    puts(c == 'a' ? "a" : "other");
    return 0;
}
