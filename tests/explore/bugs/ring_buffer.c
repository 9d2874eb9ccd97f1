// A ring buffer; going back further than it holds gives a negative index.
//@ explore: --sym-stdin 8
//@ outcome: out-of-bounds
//@ stack: go_back main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: ring+ab3
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

enum { CAPACITY = 4 };

static int cells[CAPACITY];
static int head, count;

static void push(int value) {
    head = (head + 1) % CAPACITY;
    cells[head] = value;
    if (count < CAPACITY) count++;
}

static int go_back(int steps) {
    int at = (head - steps) % CAPACITY;
    return cells[at]; // ERROR
}

int main(void) {
    char word[5] = {0};
    if (fread(word, 1, 4, stdin) != 4 || strcmp(word, "ring")) {
        puts("no ring");
        return 1;
    }
    int c, sum = 0;
    while ((c = getchar()) != EOF) {
        if (c >= 'a' && c <= 'f') push(c - 'a');
        else if (c == '+') sum += 100;
        else if (c >= '0' && c <= '3' && sum >= 100 && count == 2) sum += go_back(c - '0');
        else return 2;
    }
    printf("%d\n", sum);
    return 0;
}
