// The bounds of two nested loops come from the input.
//@ explore: --sym-stdin 2
//@ run: some
//@ stdin: bc
#include <stdio.h>

int main(void) {
    int rows = getchar(), columns = getchar();
    if (rows < 'a' || rows > 'd' || columns < 'a' || columns > 'd') return 1;
    int cells = 0, diagonal = 0;
    for (int row = 0; row < rows - 'a'; row++) {
        for (int column = 0; column < columns - 'a'; column++) {
            cells++;
            if (row == column) diagonal++;
        }
    }
    printf("%d %d\n", cells, diagonal);
    return 0;
}
