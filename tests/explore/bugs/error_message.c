// The message for one kind of failure is built in a local array and returned.
//@ explore: --sym-args 1 1 3
//@ outcome: use-after-return
//@ stack: main
//@ sanitizer: address
//@ run: witness
//@ args: e7!
//@ run: trivial
//@ args: ''
#include <stdio.h>

static const char *static_message(int code) {
    switch (code) {
    case 1:
        return "not found";
    case 2:
        return "not allowed";
    default:
        return "unknown";
    }
}

static const char *message(int code, int urgent) {
    char text[16];
    if (code < 7 || code == 9) return static_message(code);
    text[0] = urgent ? '!' : '.';
    text[1] = (char)('0' + code);
    text[2] = 0;
    const char *volatile result = urgent ? text : "minor";
    return result;
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] != 'e') {
        puts("no error");
        return 1;
    }
    int code = argv[1][1] - '0';
    if (code < 0 || code > 9) return 2;
    const char *said = message(code, argv[1][2] == '!');
    putchar(said[0]); // ERROR
    putchar('\n');
    return 0;
}
