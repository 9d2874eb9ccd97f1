// fmemopen and open_memstream.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < 200; i++) fprintf(f, "%d,", i * 7);
    fflush(f);
    printf("%zu %.20s\n", size, text);
    fprintf(f, "end");
    fclose(f);
    unsigned hash = 0;
    for (size_t i = 0; i < size; i++) hash = hash * 31 + (unsigned char)text[i];
    printf("%zu %u %s\n", size, hash, text + size - 8);
    FILE *in = fmemopen(text, size, "r");
    int value, count = 0;
    long sum = 0;
    while (fscanf(in, "%d,", &value) == 1) sum += value, count++;
    printf("%d %ld ", count, sum);
    char rest[10];
    printf("%s\n", fgets(rest, sizeof rest, in));
    fclose(in);
    free(text);
    char buffer[32];
    memset(buffer, '.', sizeof buffer);
    FILE *out = fmemopen(buffer, sizeof buffer, "w");
    fputs("into memory", out);
    fseek(out, 5, SEEK_SET), fputc('M', out);
    fclose(out);
    printf("%.11s\n", buffer);
    return 0;
}
