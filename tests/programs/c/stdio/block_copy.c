// Copies stdin through fread/fwrite blocks of several sizes into files and compares them.
//@ stdin: The block copier reads this text in blocks of one, two, three, seven and sixty-four bytes.\nSecond line, to be longer than every block.\n
#include <stdio.h>
#include <string.h>

int main(void) {
    char input[500], block[64];
    size_t total = fread(input, 1, sizeof input, stdin);
    printf("%zu %d\n", total, feof(stdin) != 0);
    static const size_t sizes[] = {1, 2, 3, 7, 64};
    for (int i = 0; i < 5; i++) {
        FILE *from = fmemopen(input, total, "r"), *to = fopen("copy", "w+");
        size_t n, blocks = 0, last = 0;
        while ((n = fread(block, 1, sizes[i], from)) > 0) blocks++, last = n, fwrite(block, n, 1, to);
        fflush(to), rewind(to);
        char back[500];
        size_t again = fread(back, 1, sizeof back, to);
        printf("%zu: %zu blocks, last %zu, %d %d\n", sizes[i], blocks, last, again == total, memcmp(back, input, total));
        fclose(from), fclose(to);
    }
    FILE *f = fopen("copy", "r");
    size_t items = fread(block, 10, 6, f);
    printf("%zu %ld\n", items, ftell(f));
    fseek(f, -5, SEEK_END);
    items = fread(block, 3, 3, f);
    printf("%zu %d %d\n", items, feof(f) != 0, ferror(f));
    fclose(f);
    return 0;
}
