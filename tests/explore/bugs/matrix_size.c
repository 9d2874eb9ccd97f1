// The number of cells is computed in 16 bits before the block is made.
//@ explore: --sym-stdin 6
//@ outcome: out-of-bounds
//@ stack: main
//@ sanitizer: address
//@ run: witness
//@ stdin: MX\x39\x0e\x12\x00
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <stdlib.h>

static unsigned read16(const unsigned char *at) { return at[0] | (unsigned)at[1] << 8; }

int main(void) {
    unsigned char input[6];
    if (fread(input, 1, sizeof input, stdin) != sizeof input) return 1;
    if (input[0] != 'M' || input[1] != 'X') {
        puts("not a matrix");
        return 2;
    }
    unsigned rows = read16(input + 2), columns = read16(input + 4);
    if (rows == 0 || columns == 0) return 3;
    unsigned short cells = (unsigned short)(rows * columns);
    if (cells == 0 || cells > 64) {
        puts("too large");
        return 4;
    }
    unsigned char *matrix = calloc(cells, 1);
    if (!matrix) return 5;
    // The last element of the last row.
    unsigned long last = (unsigned long)(rows - 1) * columns + (columns - 1);
    matrix[last] = 1; // ERROR
    printf("%u cells\n", (unsigned)cells);
    free(matrix);
    return 0;
}
