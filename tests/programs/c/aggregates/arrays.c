// Multi-dimensional arrays, pointer arithmetic, arrays of pointers, pointers to arrays.
#include <stdio.h>

static int cube[3][4][5];
static int sum_row(int (*row)[5]) { int s = 0; for (int i = 0; i < 5; i++) s += (*row)[i]; return s; }
static int sum_plane(int plane[][5], int n) { int s = 0; while (n--) s += sum_row(&plane[n]); return s; }
static void transpose(int n, int m[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) { int t = m[i][j]; m[i][j] = m[j][i], m[j][i] = t; }
}

int main(void) {
    int *flat = &cube[0][0][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) cube[i][j][k] = i * 100 + j * 10 + k;
    printf("%d %d %d\n", cube[2][3][4], *(*(*(cube + 1) + 2) + 3), 2[1[cube][2]]);
    printf("%d %d %d\n", sum_row(&cube[1][1]), sum_plane(cube[2], 4), (int)(&cube[2][0][0] - flat));
    int m[4][4];
    for (int i = 0; i < 16; i++) (*m)[i % 4] = 0, m[i / 4][i % 4] = i;
    transpose(4, m);
    for (int i = 0; i < 4; i++) printf("%d %d %d %d\n", m[i][0], m[i][1], m[i][2], m[i][3]);
    const char *words[] = {"delta", "alpha", "charlie", "bravo", NULL}, **p = words, **end = words;
    while (*end) end++;
    printf("%td %c %s\n", end - p, *(*(p + 2) + 3), end[-1] + 2);
    int line[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, *low = line, *high = line + 10;
    while (low < --high) { int t = *low; *low++ = *high, *high = t; }
    for (int i = 0; i < 10; i++) printf("%d", line[i]);
    printf(" %d %d\n", *(line + 3), (int)(line + 9 - &line[2]));
    char *bytes = (char *)line;
    printf("%d %d\n", bytes[0], *(int *)(bytes + 4 * sizeof(int)));
    int (*pointers[2])[10] = {&line, &line};
    printf("%d %zu %zu\n", (*pointers[1])[7], sizeof *pointers[0], sizeof cube[0]);
    return 0;
}
