// setvbuf modes, fflush, interleaving of the two output streams, large writes.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char buffer[64];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("buffered ");
    fflush(stdout);
    write(1, "direct ", 7);
    printf("then\n");
    fflush(stdout);
    fprintf(stderr, "error %d\n", 1);
    fputs("error text\n", stderr);
    fputc('e', stderr), putc('\n', stderr);
    for (int i = 0; i < 300; i++) printf("%d%c", i, i % 20 == 19 ? '\n' : ' ');
    fflush(stdout);
    FILE *f = fopen("out", "w");
    setvbuf(f, NULL, _IONBF, 0);
    fputs("unbuffered", f);
    char text[20] = "";
    FILE *g = fopen("out", "r");
    printf("%s\n", fgets(text, sizeof text, g));
    fclose(f), fclose(g);
    f = fopen("out", "w");
    setvbuf(f, NULL, _IOLBF, 1024);
    fputs("line\npart", f);
    fclose(f);
    f = fopen("out", "r");
    size_t n = fread(text, 1, sizeof text, f);
    printf("%zu %.4s\n", n, text);
    fclose(f);
    static char big[20000];
    memset(big, 'B', sizeof big - 1);
    printf("%s\n", big);
    fprintf(stderr, "%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
    return 0;
}
