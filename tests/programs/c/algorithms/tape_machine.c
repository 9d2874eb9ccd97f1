// An interpreter for a language of eight symbols, with matched brackets and a wrapping tape.
//@ stdin: Input!
#include <stdio.h>
#include <string.h>

static unsigned char tape[256];
static int run(const char *code) {
    int jump[600], stack[50], depth = 0, n = (int)strlen(code);
    long steps = 0;
    unsigned char at = 0;
    memset(tape, 0, sizeof tape);
    for (int i = 0; i < n; i++) {
        if (code[i] == '[') stack[depth++] = i;
        if (code[i] == ']') { if (!depth) return -1; jump[i] = stack[--depth], jump[jump[i]] = i; }
    }
    if (depth) return -2;
    for (int i = 0; i < n; i++, steps++) switch (code[i]) {
        case '>': at++; break;
        case '<': at--; break;
        case '+': tape[at]++; break;
        case '-': tape[at]--; break;
        case '.': putchar(tape[at]); break;
        case ',': { int c = getchar(); tape[at] = (unsigned char)(c == EOF ? 0 : c); break; }
        case '[': if (!tape[at]) i = jump[i]; break;
        case ']': if (tape[at]) i = jump[i]; break;
        }
    return (int)steps;
}

int main(void) {
    // Digits; input reversed; a triangle of stars; brackets that do not match; wrapping both ways.
    printf("%d\n", run("++++++++++>++++++[>++++++++<-]<[>>.+<<-]"));
    printf("%d\n", run(",[>,]<[.<]++++++++++."));
    printf("%d\n", run("+++++++>>++++++[>+++++++<-]>>++++++++++<<<<[>+[>>.<+<-]>[<+>-]>>.<<<<-]"));
    printf("%d %d\n", run("]"), run("[["));
    printf("%d %d\n", run("-[-]<+[<+]"), tape[0]);
    return 0;
}
