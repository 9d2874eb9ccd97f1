// va_copy, va_list passed to callees by value and by pointer, vprintf family.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int sum_n(int n, va_list list) { int s = 0; while (n--) s += va_arg(list, int); return s; }
static int take(va_list *list) { return va_arg(*list, int); }
static char *format(char *out, size_t size, const char *form, ...) {
    va_list list, again;
    va_start(list, form);
    va_copy(again, list);
    int needed = vsnprintf(NULL, 0, form, list);
    int written = vsnprintf(out, size, form, again);
    va_end(again);
    va_end(list);
    printf("[%d %d]", needed, written);
    return out;
}
static void twice(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    int first = va_arg(list, int);
    va_copy(copy, list);
    int a = sum_n(n - 1, copy), b = take(&list), c = take(&list), d = sum_n(n - 3, list);
    printf("%d %d %d %d %d\n", first, a, b, c, d);
    va_end(copy);
    va_end(list);
}
static void log_line(FILE *out, const char *level, const char *form, ...) {
    va_list list;
    va_start(list, form);
    fprintf(out, "%s: ", level);
    vfprintf(out, form, list);
    fputc('\n', out);
    va_end(list);
}
static int scan(const char *text, const char *form, ...) {
    va_list list;
    va_start(list, form);
    int n = vsscanf(text, form, list);
    va_end(list);
    return n;
}

int main(void) {
    char buffer[16];
    puts(format(buffer, sizeof buffer, "%d-%s-%.2f", 42, "abc", 2.5));
    puts(format(buffer, sizeof buffer, "%s", "longer than the buffer is"));
    puts(format(buffer, sizeof buffer, "%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8));
    twice(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    log_line(stdout, "note", "%d of %d %s", 3, 4, "done");
    log_line(stderr, "warning", "%g%%", 12.5);
    int a, b;
    char word[8];
    int n = scan("12 abc -7", "%d %7s %d", &a, word, &b);
    printf("%d %d %s %d\n", n, a, word, b);
    return 0;
}
