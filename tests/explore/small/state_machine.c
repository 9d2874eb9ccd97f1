// Global state changed by one function and read by another.
//@ explore: --sym-stdin 2
//@ run: word
//@ stdin: ab
//@ run: quote
//@ stdin: ""
#include <stdio.h>

static enum { START, WORD, QUOTE, DONE, WRONG } state = START;

static void step(int c) {
    switch (state) {
    case START:
        state = c == '"' ? QUOTE : c >= 'a' && c <= 'z' ? WORD : WRONG;
        break;
    case WORD:
        if (c == ' ') state = DONE;
        else if (c < 'a' || c > 'z') state = WRONG;
        break;
    case QUOTE:
        if (c == '"') state = DONE;
        break;
    default:
        break;
    }
}

int main(void) {
    int c;
    while ((c = getchar()) != EOF) step(c);
    printf("%d\n", (int)state);
    return (int)state;
}
