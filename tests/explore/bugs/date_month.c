// A date whose month may be 00: the table of days is read before its start.
//@ explore: --sym-stdin 10
//@ outcome: out-of-bounds
//@ stack: days_in main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: 2024-00-01
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int number(const char *text, int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if (text[i] < '0' || text[i] > '9') return -1;
        value = value * 10 + text[i] - '0';
    }
    return value;
}

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int year, int month) {
    int count = days[month - 1]; // ERROR
    return month == 2 && is_leap(year) ? count + 1 : count;
}

int main(void) {
    char text[11] = {0};
    if (fread(text, 1, 10, stdin) != 10) return 1;
    if (text[4] != '-' || text[7] != '-') {
        puts("not a date");
        return 2;
    }
    int year = number(text, 4), month = number(text + 5, 2), day = number(text + 8, 2);
    if (year < 1583 || month < 0 || day < 1) return 3;
    if (month > 12 || day > days_in(year, month)) {
        puts("no such day");
        return 4;
    }
    printf("%d\n", day);
    return 0;
}
