// printf's integer conversions with every flag, width, precision and length.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    static const int values[] = {0, 1, -1, 42, -42, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 7; i++) {
        int v = values[i];
        printf("[%d][%i][%u][%x][%X][%o][%c]\n", v, v, v, v, v, v, 'a' + i);
        printf("[%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d][%+05d]\n", v, v, v, v, v, v, v, v, v);
        printf("[%#x][%#X][%#o][%#10x][%-#10x][%#010x][%.0d][%.5x][%#.5o]\n", v, v, v, v, v, v, v, v, v);
        printf("[%hhd][%hd][%hhu][%hu][%ld][%lld][%jd][%zd][%td]\n", v, v, v, v, (long)v, (long long)v, (intmax_t)v, (ptrdiff_t)v, (ptrdiff_t)v);
    }
    printf("[%*d][%*d][%.*d][%-*d]\n", 6, 12, -6, 12, 4, 12, 3, 1);
    printf("[%.*d][%.d][%5.0d]\n", -1, 7, 0, 0);
    printf("[%lx][%llo][%lu][%llX]\n", ~0ul, ~0ull, ~0ul, 0x123456789abcdefull);
    printf("[%1$d %2$s %1$x]\n", 255, "positional");
    printf("[%c][%3c][%-3c][%%]\n", 'x', 'y', 'z');
    int n1, n2;
    printf("count%n ten%n\n", &n1, &n2);
    printf("%d %d\n", n1, n2);
    printf("%d\n", printf("%s", "length\n"));
    printf("[%'d][%+ d]\n", 1234567, 5);
    return 0;
}
