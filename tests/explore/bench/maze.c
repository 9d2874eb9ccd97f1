// A maze walked by 32 moves on standard input: u, d, l, r. A wall, or a field that was visited before, ends
// the walk; so does reaching the treasure, by exactly one way.
//@ explore: --sym-stdin 32
//@ run: lost
//@ stdin: rrrrrrrrddddddrruuuuuurrrrddddrr
//@ run: won
//@ stdin: rrrrrrrrddddddrruuuuuurrrrdddddd
#include <stdio.h>

enum { MOVES = 32 };

static char maze[9][18] = {
    "+---------+-----+",
    "|         |     |",
    "| +-----+ + +-+ |",
    "| |     | | | | |",
    "| + +-+ | | | | |",
    "|   | | | | | | |",
    "+---+ | + + + | |",
    "|     |       |#|",
    "+-----+-------+-+",
};

int main(void) {
    int row = 1, column = 1;
    for (int move = 0; move < MOVES; move++) {
        maze[row][column] = '.';
        switch (getchar()) {
        case 'u':
            row--;
            break;
        case 'd':
            row++;
            break;
        case 'l':
            column--;
            break;
        case 'r':
            column++;
            break;
        default:
            puts("not a move");
            return 2;
        }
        if (maze[row][column] == '#') {
            puts("won");
            return 0;
        }
        if (maze[row][column] != ' ') {
            puts("lost");
            return 1;
        }
    }
    puts("tired");
    return 3;
}
