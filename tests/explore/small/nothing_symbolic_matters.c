// The input is read and copied but never asked about: one path.
//@ explore: --sym-stdin 2
//@ run: some
//@ stdin: ab
#include <stdio.h>

int main(void) {
    char pair[2];
    if (fread(pair, 1, 2, stdin) != 2) return 1;
    char swapped[2] = {pair[1], pair[0]};
    int sum = swapped[0] * 3 + swapped[1];
    fwrite(swapped, 1, 2, stdout);
    return (sum - swapped[1]) % 3;
}
