// A pipe within one process: partial reads, end of file, FILE streams over descriptors.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char buffer[100];
    printf("%d\n", pipe(ends));
    printf("%zd ", write(ends[1], "hello pipe", 10));
    printf("%zd ", read(ends[0], buffer, 5));
    printf("%.5s ", buffer);
    ssize_t n = read(ends[0], buffer, sizeof buffer);
    printf("%zd %.*s\n", n, (int)n, buffer);
    printf("%d\n", lseek(ends[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
    FILE *out = fdopen(ends[1], "w");
    for (int i = 0; i < 100; i++) fprintf(out, "%d\n", i * i);
    fclose(out);
    FILE *in = fdopen(ends[0], "r");
    long sum = 0;
    int value, count = 0;
    while (fscanf(in, "%d", &value) == 1) sum += value, count++;
    printf("%d %ld %d\n", count, sum, feof(in) != 0);
    fclose(in);
    pipe(ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    printf("%d %d\n", read(ends[0], buffer, 1) == -1 && errno == EAGAIN, (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    close(ends[1]);
    printf("%zd\n", read(ends[0], buffer, 1));
    printf("%d\n", fcntl(ends[1], F_GETFD) == -1 && errno == EBADF);
    close(ends[0]);
    printf("%d %d\n", isatty(0), isatty(99) == 0 && errno == EBADF);
    return 0;
}
