// strftime with every portable conversion, and strptime.
#define _GNU_SOURCE
//@ env: TZ=UTC0
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
    static const char *forms[] = {"%a %A %b %B %h", "%c", "%C %d %D %e %F", "%H %I %j %m %M %p", "%n%t%%", "%r %R %S %T", "%u %w %U %W %V %G %g", "%x %X %y %Y"};
    static const long long moments[] = {0, 1078012799, 1230768000, 1700000000, 4102444799};
    for (size_t m = 0; m < 5; m++) {
        time_t t = moments[m];
        struct tm tm;
        gmtime_r(&t, &tm);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            char text[100];
            size_t n = strftime(text, sizeof text, forms[i], &tm);
            printf("%zu %s\n", n, text);
        }
    }
    char small[5];
    struct tm tm = {.tm_year = 100, .tm_mday = 1};
    printf("%zu %zu\n", strftime(small, 5, "%Y", &tm), strftime(small, 4, "%Y", &tm));
    memset(&tm, 0, sizeof tm);
    char *rest = strptime("2024-02-29 23:59:58 tail", "%Y-%m-%d %H:%M:%S", &tm);
    printf("%s %d %d %d %d %d %d\n", rest, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    memset(&tm, 0, sizeof tm);
    rest = strptime("Mar  7 99", "%b %d %y", &tm);
    printf("%d %d %d %d\n", rest && !*rest, tm.tm_year, tm.tm_mon, tm.tm_mday);
    return 0;
}
