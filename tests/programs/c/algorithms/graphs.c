// Dijkstra, Floyd-Warshall, Kruskal, depth-first topological order, union-find, flood fill.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 24 };
static int weight[N][N], distance[N][N];
struct edge { int from, to, weight; };
static int by_weight(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    return x->weight != y->weight ? x->weight - y->weight : x->from != y->from ? x->from - y->from : x->to - y->to;
}
static int parent[N];
static int root(int n) { return parent[n] == n ? n : (parent[n] = root(parent[n])); }
static void dijkstra(int start, int *best) {
    int done[N] = {0};
    for (int i = 0; i < N; i++) best[i] = INT_MAX / 4;
    best[start] = 0;
    for (;;) {
        int near = -1;
        for (int i = 0; i < N; i++) if (!done[i] && (near < 0 || best[i] < best[near])) near = i;
        if (near < 0) return;
        done[near] = 1;
        for (int i = 0; i < N; i++) if (weight[near][i] && best[near] + weight[near][i] < best[i]) best[i] = best[near] + weight[near][i];
    }
}
static int order[N], placed, mark[N];
static void visit(int n) { if (mark[n]++) return; for (int i = n + 1; i < N; i++) if (weight[n][i]) visit(i); order[placed++] = n; }
static char map[7][15] = {"..#......#....", ".##.####.#.##.", "....#..#......", "####.#.#.####.", "...#.#...#..#.", ".#.#.#####..#.", ".#...#......#."};
static int fill(int r, int c) { return r < 0 || r > 6 || c < 0 || c > 13 || map[r][c] != '.' ? 0 : (map[r][c] = 'o', 1 + fill(r - 1, c) + fill(r + 1, c) + fill(r, c - 1) + fill(r, c + 1)); }

int main(void) {
    struct edge edges[N * N];
    int count = 0, best[N], mismatches = 0, tree = 0;
    unsigned state = 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            state = state * 69069 + 1;
            if ((state >> 20) % 4 == 0) weight[i][j] = weight[j][i] = 1 + (int)(state >> 24) % 50, edges[count++] = (struct edge){j, i, weight[i][j]};
        }
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) distance[i][j] = i == j ? 0 : weight[i][j] ? weight[i][j] : INT_MAX / 4;
    for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
        if (distance[i][k] + distance[k][j] < distance[i][j]) distance[i][j] = distance[i][k] + distance[k][j];
    for (int s = 0; s < N; s++) { dijkstra(s, best); for (int i = 0; i < N; i++) mismatches += best[i] != distance[s][i]; }
    printf("%d edges, %d mismatches\n", count, mismatches);
    for (int i = 0; i < N; i++) printf("%d ", best[i]), parent[i] = i;
    qsort(edges, (size_t)count, sizeof *edges, by_weight);
    for (int e = 0; e < count; e++) { int a = root(edges[e].from), b = root(edges[e].to); if (a != b) parent[a] = b, tree += edges[e].weight; }
    printf("\nspanning tree %d\n", tree);
    for (int i = 0; i < N; i++) visit(i);
    for (int i = N; i-- > 0;) printf("%d ", order[i]);
    putchar('\n');
    for (int r = 0; r < 7; r++) for (int c = 0; c < 14; c++) if (map[r][c] == '.') printf("%d ", fill(r, c));
    putchar('\n');
    return 0;
}
