// A switch with several labels, a fall-through and a default.
//@ explore: --sym-stdin 1
//@ run: vowel
//@ stdin: e
//@ run: sign
//@ stdin: -
#include <stdio.h>

int main(void) {
    int c = getchar(), value = 0;
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        puts("vowel");
        return 1;
    case '-':
        value = 10;
        __attribute__((fallthrough));
    case '+':
        value++;
        break;
    case '0':
        value = 5;
        break;
    case EOF:
        puts("nothing");
        return 2;
    default:
        value = -1;
    }
    printf("%d\n", value);
    return 0;
}
