/* dates: arithmetic with dates of the Gregorian calendar.
 *
 *   dates weekday YYYY-MM-DD
 *   dates add YYYY-MM-DD DAYS
 *   dates between YYYY-MM-DD YYYY-MM-DD
 *
 * Years are 1600 to 9999.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date {
    int year;
    int month;
    int day;
};

static const char *const weekdays[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month == 2 && is_leap(year))
        return 29;
    return days[month - 1];
}

static int parse_date(const char *text, struct date *date)
{
    char rest;
    if (strlen(text) != 10)
        return -1;
    if (sscanf(text, "%4d-%2d-%2d%c", &date->year, &date->month, &date->day, &rest) != 3)
        return -1;
    if (date->year < 1600 || date->month < 1 || date->month > 12 || date->day < 1)
        return -1;
    if (date->day > days_in_month(date->year, date->month))
        return -1;
    return 0;
}

static int parse_days(const char *text, long *days)
{
    char *end;
    errno = 0;
    *days = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *days > 100000 || *days < -100000)
        return -1;
    return 0;
}

/* Days since 1600-01-01, a Saturday. */
static long day_number(const struct date *date)
{
    long days = 0;
    int year;
    int month;
    for (year = 1600; year < date->year; year++)
        days += days_in_year(year);
    for (month = 1; month < date->month; month++)
        days += days_in_month(date->year, month);
    return days + date->day - 1;
}

static int from_day_number(long days, struct date *date)
{
    if (days < 0)
        return -1;
    date->year = 1600;
    while (days >= days_in_year(date->year)) {
        days -= days_in_year(date->year);
        date->year++;
    }
    if (date->year > 9999)
        return -1;
    date->month = 1;
    while (days >= days_in_month(date->year, date->month)) {
        days -= days_in_month(date->year, date->month);
        date->month++;
    }
    date->day = (int)days + 1;
    return 0;
}

static int bad_date(const char *text)
{
    fprintf(stderr, "dates: not a date: %s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    struct date first;
    struct date second;
    long days;

    if (argc < 3) {
        fprintf(stderr, "usage: dates weekday|add|between DATE [DAYS|DATE]\n");
        return 2;
    }
    if (parse_date(argv[2], &first) != 0)
        return bad_date(argv[2]);
    if (strcmp(argv[1], "weekday") == 0 && argc == 3) {
        puts(weekdays[(day_number(&first) + 5) % 7]);
        return 0;
    }
    if (strcmp(argv[1], "add") == 0 && argc == 4) {
        if (parse_days(argv[3], &days) != 0) {
            fprintf(stderr, "dates: not a number of days: %s\n", argv[3]);
            return 1;
        }
        if (from_day_number(day_number(&first) + days, &second) != 0) {
            fprintf(stderr, "dates: out of range\n");
            return 1;
        }
        printf("%04d-%02d-%02d\n", second.year, second.month, second.day);
        return 0;
    }
    if (strcmp(argv[1], "between") == 0 && argc == 4) {
        if (parse_date(argv[3], &second) != 0)
            return bad_date(argv[3]);
        printf("%ld\n", day_number(&second) - day_number(&first));
        return 0;
    }
    fprintf(stderr, "usage: dates weekday|add|between DATE [DAYS|DATE]\n");
    return 2;
}
