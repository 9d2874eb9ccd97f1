// A state machine over 16 bytes of standard input that counts words, numbers and texts in quotes.
//@ explore: --sym-stdin 16
//@ run: mixed
//@ stdin: ab 12 "x\\"y" 7z.
#include <stdio.h>

#ifndef SIZE
#define SIZE 16
#endif

enum state { BLANK, WORD, NUMBER, TEXT, ESCAPED };

static int words, numbers, texts, wrong;

static int is_digit(int c) { return (unsigned)(c - '0') < 10; }

static enum state start(int c) {
    if (c == ' ') return BLANK;
    if (c == '"') {
        texts++;
        return TEXT;
    }
    if (is_digit(c)) {
        numbers++;
        return NUMBER;
    }
    words++;
    return WORD;
}

static enum state step(enum state state, int c) {
    switch (state) {
    case WORD:
        if (c == '"') wrong++;
        return c == ' ' ? BLANK : WORD;
    case NUMBER:
        return is_digit(c) ? NUMBER : start(c);
    case TEXT:
        if (c == '\\') return ESCAPED;
        return c == '"' ? BLANK : TEXT;
    case ESCAPED:
        return TEXT;
    default:
        return start(c);
    }
}

int main(void) {
    unsigned char input[SIZE];
    if (fread(input, 1, SIZE, stdin) != SIZE) return 1;
    enum state state = BLANK;
    for (int i = 0; i < SIZE; i++) state = step(state, input[i]);
    if (state == TEXT || state == ESCAPED) wrong++;
    printf("%d words, %d numbers, %d texts\n", words, numbers, texts);
    return wrong > 0;
}
