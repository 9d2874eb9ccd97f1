// && and || whose right sides have effects.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: J
#include <stdio.h>

static int asked;

static int ask(int answer) {
    asked++;
    return answer;
}

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int yes = (ask(c & 1) && ask(c & 2)) || (ask(c & 4) && !ask(c & 8)) || ask(c > 200);
    printf("%d %d\n", yes, asked);
    return asked;
}
