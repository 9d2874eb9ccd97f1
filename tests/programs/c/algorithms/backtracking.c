// N queens, a knight's tour, subset sums and a small Sudoku.
#include <stdio.h>

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n) return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}
static int board[5][5], tries;
static int tour(int r, int c, int step) {
    static const int dr[] = {1, 2, 2, 1, -1, -2, -2, -1}, dc[] = {2, 1, -1, -2, -2, -1, 1, 2};
    tries++;
    board[r][c] = step;
    if (step == 25) return 1;
    for (int k = 0; k < 8; k++) {
        int nr = r + dr[k], nc = c + dc[k];
        if (nr >= 0 && nr < 5 && nc >= 0 && nc < 5 && !board[nr][nc] && tour(nr, nc, step + 1)) return 1;
    }
    board[r][c] = 0;
    return 0;
}
static int subsets(const int *v, int n, int target) { return target == 0 ? 1 : n == 0 || target < 0 ? 0 : subsets(v + 1, n - 1, target) + subsets(v + 1, n - 1, target - *v); }
static char grid[] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
static int sudoku(int at) {
    while (at < 81 && grid[at] != '.') at++;
    if (at == 81) return 1;
    for (char d = '1'; d <= '9'; d++) {
        int ok = 1, r = at / 9, c = at % 9;
        for (int k = 0; k < 9 && ok; k++) ok = grid[r * 9 + k] != d && grid[k * 9 + c] != d && grid[(r / 3 * 3 + k / 3) * 9 + c / 3 * 3 + k % 3] != d;
        if (!ok) continue;
        grid[at] = d;
        if (sudoku(at + 1)) return 1;
    }
    grid[at] = '.';
    return 0;
}

int main(void) {
    for (int n = 1; n <= 8; n++) printf("%d ", queens(n, 0, 0, 0, 0));
    printf("\n%d\n", tour(0, 0, 1));
    for (int r = 0; r < 5; r++) printf("%2d %2d %2d %2d %2d\n", board[r][0], board[r][1], board[r][2], board[r][3], board[r][4]);
    static const int coins[] = {1, 2, 3, 5, 8, 13, 21, 34, 4, 6};
    printf("%d %d %d\n", tries, subsets(coins, 10, 30), subsets(coins, 10, 500));
    printf("%d %s\n", sudoku(0), grid);
    return 0;
}
