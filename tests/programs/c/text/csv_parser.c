// CSV with quotes, embedded separators and newlines; errors carry their position.
//@ run: good
//@ stdin: id,name,note\n1,"Smith, J.",plain\n2,"said ""hi""","two\nlines"\n3,,\n
//@ run: unclosed
//@ stdin: a,"never closed\nb
//@ run: junk after quote
//@ stdin: "x"y,z\n
#include <stdio.h>

static int line = 1, column;
static int next(void) { int c = getchar(); if (c == '\n') line++, column = 0; else column++; return c; }

int main(void) {
    enum { START, PLAIN, QUOTED, QUOTE } state = START;
    int fields = 0, records = 0, length = 0;
    for (;;) {
        int c = next(), ends = c == EOF || c == '\n' || c == ',';
        if (state == QUOTED) {
            if (c == EOF) { fprintf(stderr, "unclosed quote at end of line %d\n", line); return 2; }
            if (c == '"') state = QUOTE;
            else putchar(c == '\n' ? '~' : c), length++;
        } else if (state == QUOTE && c == '"') state = QUOTED, putchar('"'), length++;
        else if (ends) {
            if (c == EOF && state == START && fields == 0) break;
            printf("<%d>", length), fields++, length = 0, state = START;
            if (c != ',') printf(" %d fields\n", fields), fields = 0, records++;
            if (c == EOF) break;
        } else if (state == QUOTE) { fprintf(stderr, "junk after quote at %d:%d\n", line, column); return 3; }
        else if (state == START && c == '"') state = QUOTED;
        else state = PLAIN, putchar(c), length++;
    }
    printf("%d records\n", records);
    return 0;
}
