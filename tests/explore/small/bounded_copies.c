// Copies to a place and of a length that the input decides, the place by the length of the copy before it.
//@ explore: --sym-stdin 2
//@ run: nothing
//@ stdin: \x00\x00
//@ run: some
//@ stdin: \x02\x01
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char input[2];
    if (fread(input, 1, 2, stdin) != 2) return 2;
    char buffer[12] = "", *at = buffer;
    unsigned long first = input[0] & 3, second = input[1] & 3;
    memcpy(at, "abcd", first);
    at += first;
    memcpy(at, "wxyz", second);
    at += second;
    if (first != second) memset(at, '!', first);
    printf("%s %d\n", buffer, (int)(at - buffer));
    return 0;
}
