// A file of two bytes: a tag and a length.
//@ explore: --sym-file data 2
//@ run: list
//@ file: data=L\x03
//@ run: other
//@ file: data=Q\x00
#include <stdio.h>

int main(void) {
    FILE *file = fopen("data", "rb");
    if (!file) return 8;
    int tag = fgetc(file), length = fgetc(file);
    fclose(file);
    if (length == EOF) return 9;
    if (tag == 'L' && length < 16) {
        printf("list of %s\n", length == 0 ? "nothing" : "some");
        return 0;
    }
    if (tag == 'N') {
        puts(length & 128 ? "negative" : "number");
        return 1;
    }
    puts("unknown");
    return 2;
}
