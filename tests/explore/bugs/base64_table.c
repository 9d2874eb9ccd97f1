// A base64 decoder whose table is indexed by a character that may be negative.
//@ explore: --sym-stdin 9
//@ outcome: out-of-bounds
//@ stack: value_of decode main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: b64:QU\xc9Q\n
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

static signed char values[128];

static void fill(void) {
    const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memset(values, -1, sizeof values);
    for (int i = 0; alphabet[i]; i++) values[(int)alphabet[i]] = (signed char)i;
}

static int value_of(char c) {
    if (c > 'z') return -1;
    return values[(int)c]; // ERROR
}

static int decode(const char *text, unsigned char *bytes) {
    unsigned group = 0;
    for (int i = 0; i < 4; i++) {
        int value = value_of(text[i]);
        if (value < 0) return -1;
        group = group << 6 | (unsigned)value;
    }
    bytes[0] = (unsigned char)(group >> 16);
    bytes[1] = (unsigned char)(group >> 8);
    bytes[2] = (unsigned char)group;
    return 3;
}

int main(void) {
    char input[10] = {0};
    unsigned char bytes[3];
    size_t size = fread(input, 1, 9, stdin);
    if (size != 9 || strncmp(input, "b64:", 4) || input[8] != '\n') {
        puts("no header");
        return 1;
    }
    fill();
    int count = decode(input + 4, bytes);
    printf("%d\n", count);
    return count < 0 ? 2 : 0;
}
