// #rgb and #rrggbb as an index into a palette; the short form scales by the wrong factor.
//@ explore: --sym-args 1 1 7
//@ outcome: out-of-bounds
//@ stack: name_of main
//@ sanitizer: undefined
//@ run: witness
//@ args: #f00
//@ run: trivial
//@ args: ''
#include <stdio.h>
#include <string.h>

static unsigned char palette[216];

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static int part(const char *text, int digits) {
    int first = digit(text[0]);
    if (first < 0) return -1;
    if (digits == 1) return first / 2;
    int second = digit(text[1]);
    return second < 0 ? -1 : (first * 16 + second) / 51;
}

static int name_of(int red, int green, int blue) {
    return palette[red * 36 + green * 6 + blue]; // ERROR
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] != '#') {
        puts("no colour");
        return 1;
    }
    const char *text = argv[1] + 1;
    size_t length = strlen(text);
    if (length != 3 && length != 6) return 2;
    int digits = (int)length / 3;
    int red = part(text, digits), green = part(text + digits, digits);
    int blue = part(text + 2 * digits, digits);
    if (red < 0 || green < 0 || blue < 0) return 3;
    printf("%d\n", name_of(red, green, blue));
    return 0;
}
