// A name that is not in the table is reported for values but not for references.
//@ explore: --sym-stdin 7
//@ outcome: null-dereference
//@ stack: resolve main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: S2r:zz;
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

struct symbol {
    char name[3];
    int value;
};

static const struct symbol symbols[] = {{"pi", 314}, {"tau", 628}, {"e", 271}, {"ten", 1000}};

static const struct symbol *find(const char *name) {
    for (unsigned i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (!strncmp(symbols[i].name, name, sizeof symbols[i].name)) return &symbols[i];
    return NULL;
}

static int resolve(char kind, const char *name) {
    const struct symbol *found = find(name);
    if (kind == 'v') return found ? found->value : -1;
    return found->value * 2; // ERROR
}

int main(void) {
    char input[8] = {0}, name[4] = {0};
    if (fread(input, 1, 7, stdin) != 7 || input[0] != 'S') return 1;
    int length = input[1] - '0';
    if (length < 1 || length > 3 || input[3] != ':') {
        puts("malformed");
        return 2;
    }
    if (input[2] != 'v' && input[2] != 'r') return 3;
    memcpy(name, input + 4, (size_t)length);
    if (length < 3 && input[4 + length] != ';') return 4;
    printf("%d\n", resolve(input[2], name));
    return 0;
}
