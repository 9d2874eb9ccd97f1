// A loop unrolled by four that is entered in its middle.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: g
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c < 'a' || c > 'm') return 1;
    int count = c - 'a' + 1, rounds = (count + 3) / 4;
    const char *from = "abcdefghijklm";
    char text[16], *to = text;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
            __attribute__((fallthrough));
    case 3:
            *to++ = *from++;
            __attribute__((fallthrough));
    case 2:
            *to++ = *from++;
            __attribute__((fallthrough));
    case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
    *to = 0;
    puts(text);
    return to - text == count ? 0 : 2;
}
