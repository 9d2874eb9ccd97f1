// fopen modes, fseek, ftell, rewind, fgetpos, freopen, remove.
#include <stdio.h>
#include <string.h>

static void show(const char *name) {
    FILE *f = fopen(name, "rb");
    if (!f) { printf("%s: none\n", name); return; }
    int c;
    printf("%s: ", name);
    while ((c = fgetc(f)) != EOF) putchar(c == '\n' ? '/' : c ? c : '0');
    putchar('\n');
    fclose(f);
}

int main(void) {
    FILE *f = fopen("data.txt", "w");
    fprintf(f, "line %d\nline %d\n", 1, 2);
    fclose(f), show("data.txt");
    f = fopen("data.txt", "a+");
    fputs("appended\n", f);
    fseek(f, 5, SEEK_SET);
    printf("%c %ld\n", fgetc(f), ftell(f));
    fclose(f), show("data.txt");
    f = fopen("data.txt", "r+");
    fseek(f, -4, SEEK_END), printf("%ld ", ftell(f));
    fputs("XX", f), rewind(f), fputc('L', f), fflush(f);
    fpos_t position;
    fseek(f, 7, SEEK_SET), fgetpos(f, &position);
    char word[10];
    printf("%s ", fgets(word, 6, f));
    fsetpos(f, &position), printf("%c\n", fgetc(f));
    fseek(f, 30, SEEK_SET), fputc('!', f);
    fclose(f), show("data.txt");
    printf("%d %d\n", fopen("absent", "r") == NULL, fopen("data.txt", "wx") == NULL);
    f = fopen("data.bin", "wb+");
    for (int i = 0; i < 1000; i++) fwrite(&i, sizeof i, 1, f);
    long sum = 0;
    for (int i = 990; i >= 0; i -= 33) {
        int v;
        fseek(f, i * (long)sizeof v, SEEK_SET);
        sum = sum * 3 + (long)fread(&v, sizeof v, 1, f) * v;
    }
    printf("%ld %ld\n", sum, (fseek(f, 0, SEEK_END), ftell(f)));
    fclose(f);
    f = freopen("data.txt", "r", stdin);
    printf("%d %s\n", f == stdin, fgets(word, sizeof word, stdin) ? "read" : "failed");
    printf("%d %d %d\n", remove("data.txt"), remove("data.bin"), remove("data.bin") != 0);
    show("data.txt");
    return 0;
}
