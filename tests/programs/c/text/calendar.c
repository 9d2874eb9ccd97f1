// gmtime_r, timegm, mktime in UTC, difftime: round trips across leap years and centuries.
//@ env: TZ=UTC0
#include <stdio.h>
#include <time.h>

int main(void) {
    static const long long moments[] = {0, -1, 86399, 86400, 951782400, 951868800, 1078012800, 1709164800, 2147483647, 2147483648, 4102444800, -2208988800,
                                        -86400LL * 365 * 300, 253402300799};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        time_t t = moments[i];
        struct tm tm;
        gmtime_r(&t, &tm);
        printf("%d-%02d-%02d %02d:%02d:%02d w%d y%d %d\n", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday,
               timegm(&tm) == t);
    }
    struct tm odd = {.tm_year = 123, .tm_mon = 14, .tm_mday = -3, .tm_hour = 49, .tm_min = -61, .tm_sec = 3601};
    time_t normal = mktime(&odd);
    printf("%lld %d-%d-%d %d:%d:%d %d %d\n", (long long)normal, odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_hour, odd.tm_min, odd.tm_sec, odd.tm_wday, odd.tm_yday);
    unsigned hash = 0;
    for (int year = 1890; year < 2110; year++) {
        struct tm tm = {.tm_year = year - 1900, .tm_mon = 1, .tm_mday = 29};
        timegm(&tm);
        hash = hash * 31 + (unsigned)(tm.tm_mon * 40 + tm.tm_mday) * 7 + (unsigned)tm.tm_wday;
    }
    printf("%u %g\n", hash, difftime(1000, 250));
    struct tm local;
    time_t t = 1700000000;
    localtime_r(&t, &local);
    printf("%d:%d %d\n", local.tm_hour, local.tm_min, local.tm_isdst);
    char text[32];
    printf("%s", asctime_r(&local, text));
    printf("%s", ctime_r(&t, text));
    return 0;
}
