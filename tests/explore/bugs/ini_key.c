// An INI line: a key that fills its buffer leaves no room for its end.
//@ explore: --sym-stdin 12
//@ outcome: out-of-bounds
//@ stack: read_key main
//@ sanitizer: address
//@ run: witness
//@ stdin: [a]\nabcdef=1
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

static char line[16];

static int is_key_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

static const char *read_key(const char *at, char *key, size_t size) {
    size_t length = 0;
    while (is_key_character(*at)) {
        if (length == size) return NULL;
        key[length++] = *at++;
    }
    if (length == 0 || *at != '=') return NULL;
    key[length] = 0; // ERROR
    return at + 1;
}

int main(void) {
    char key[6];
    int section = 0, values = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '[') {
            char *close = strchr(line, ']');
            if (!close || close == line + 1) return 2;
            section = line[1];
            continue;
        }
        if (line[0] == 0 || line[0] == '#') continue;
        if (section != 'a') return 3;
        const char *value = read_key(line, key, sizeof key);
        if (!value) return 4;
        values++;
        printf("%s -> %s\n", key, value);
    }
    return values > 1;
}
