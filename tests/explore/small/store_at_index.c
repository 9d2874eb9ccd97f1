// A write at a symbolic index, then branches on every place it could have gone to.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: r
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    unsigned char cells[8] = {0};
    cells[c & 7] = 1;
    cells[c >> 5 & 7] += 2;
    if (cells[0] == 3) puts("both at the start");
    if (cells[5]) puts("five");
    int last = 0;
    for (int i = 6; i < 8; i++)
        if (cells[i]) last += cells[i];
    printf("%d\n", last);
    return 0;
}
