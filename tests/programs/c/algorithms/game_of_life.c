// Conway's life on a torus: glider, blinker, r-pentomino populations.
#include <stdio.h>
#include <string.h>

enum { W = 32, H = 24 };
typedef unsigned char world[H][W];
static void step(world from, world to) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) n += (dx || dy) && from[(y + dy + H) % H][(x + dx + W) % W];
            to[y][x] = n == 3 || (n == 2 && from[y][x]);
        }
}
static void place(world w, int y, int x, const char *rows) {
    for (int x0 = x; *rows; rows++) if (*rows == '/') y++, x = x0; else w[y][x++] = *rows == 'O';
}
static int population(world w) { int n = 0; for (int i = 0; i < W * H; i++) n += w[i / W][i % W]; return n; }

int main(void) {
    static world a, b;
    place(a, 1, 1, ".O./..O/OOO"), place(a, 10, 10, "OOO"), place(a, 15, 20, ".OO/OO./.O.");
    for (int generation = 0; generation < 120; generation++) {
        if (generation % 10 == 0) printf("%d ", population(a));
        step(a, b), memcpy(a, b, sizeof a);
    }
    putchar('\n');
    for (int y = 0; y < H; y++) { for (int x = 0; x < W; x++) putchar(a[y][x] ? '#' : '.'); putchar('\n'); }
    return 0;
}
