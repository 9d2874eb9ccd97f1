// Tag, length, value: the check of one tag's length is one too generous.
//@ explore: --sym-stdin 14
//@ outcome: out-of-bounds
//@ stack: store parse main
//@ sanitizer: address
//@ run: witness
//@ stdin: TV\x02\x09123456789\x00
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>

enum { END, NUMBER, NAME };

struct record {
    unsigned number;
    char name[8];
};

static void store(char *to, const unsigned char *from, int count) {
    for (int i = 0; i < count; i++) to[i] = (char)from[i]; // ERROR
}

static int parse(const unsigned char *at, const unsigned char *end, struct record *record) {
    while (end - at >= 2 && at[0] != END) {
        int tag = at[0], length = at[1];
        at += 2;
        if (length > end - at) return -1;
        switch (tag) {
        case NUMBER:
            if (length != 2) return -1;
            record->number = at[0] | (unsigned)at[1] << 8;
            break;
        case NAME:
            // Room for the name and its end; but then it must be shorter than the field.
            if (length > (int)sizeof record->name + 1) return -1;
            store(record->name, at, length);
            break;
        default:
            return -1;
        }
        at += length;
    }
    return 0;
}

int main(void) {
    unsigned char input[14];
    size_t size = fread(input, 1, sizeof input, stdin);
    struct record record = {0, ""};
    if (size < 2 || input[0] != 'T' || input[1] != 'V') {
        puts("not a TV file");
        return 1;
    }
    int wrong = parse(input + 2, input + size, &record);
    printf("%u %s\n", record.number, wrong ? "wrong" : "right");
    return wrong ? 1 : 0;
}
