// An archive member: octal size and checksum; links skip the check of the size.
//@ explore: --sym-stdin 14
//@ outcome: out-of-bounds
//@ stack: copy_target main
//@ sanitizer: address
//@ run: witness
//@ stdin: name0011l1317A
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

enum { NAME = 0, SIZE = 4, KIND = 8, CHECK = 9, TARGET = 13 };

static int octal(const unsigned char *digits, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
        if (digits[i] < '0' || digits[i] > '7') return -1;
        value = value * 8 + digits[i] - '0';
    }
    return value;
}

static int checksum(const unsigned char *header) {
    int sum = 0;
    for (int i = 0; i < CHECK; i++) sum += header[i];
    return sum;
}

static void copy_target(char *target, int size, unsigned char fill) {
    memset(target, fill, (size_t)size); // ERROR
}

int main(void) {
    unsigned char header[14];
    char target[8];
    if (fread(header, 1, sizeof header, stdin) != sizeof header) return 1;
    int size = octal(header + SIZE, 4);
    if (size < 0) return 2;
    if (octal(header + CHECK, 4) != checksum(header)) {
        puts("bad checksum");
        return 3;
    }
    if (header[KIND] == 'f' && size > (int)sizeof target) return 4;
    if (header[KIND] == 'f' || header[KIND] == 'l') copy_target(target, size, header[TARGET]);
    printf("%.4s %d\n", (const char *)header, size);
    return 0;
}
