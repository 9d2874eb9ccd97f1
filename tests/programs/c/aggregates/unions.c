// Unions: type punning, tagged variants, by value, overlapping members of different sizes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number { uint8_t bytes[8]; uint16_t halves[4]; uint32_t words[2]; uint64_t whole; double real; };
enum kind { INTEGER, REAL, TEXT, LIST };
struct value {
    enum kind kind;
    union { long integer; double real; char text[12]; struct { struct value *head, *tail; } list; };
};

static union number rotate(union number n) {
    uint8_t first = n.bytes[0];
    memmove(n.bytes, n.bytes + 1, 7);
    n.bytes[7] = first;
    return n;
}
static void print(const struct value *v) {
    switch (v->kind) {
    case INTEGER: printf("%ld", v->integer); break;
    case REAL: printf("%g", v->real); break;
    case TEXT: printf("'%s'", v->text); break;
    case LIST:
        putchar('('), print(v->list.head);
        if (v->list.tail) fputs(" . ", stdout), print(v->list.tail);
        putchar(')');
    }
}

int main(void) {
    union number n = {.whole = 0x0123456789abcdef};
    for (int i = 0; i < 8; i++) {
        printf("%02x %04x %08x %016llx\n", n.bytes[i], n.halves[i / 2], n.words[i / 4], (unsigned long long)n.whole);
        n = rotate(n);
    }
    n.real = -2.5;
    n.halves[3] &= 0x7fff;
    printf("%g %zu\n", n.real, sizeof n);
    struct value a = {INTEGER, .integer = -7}, b = {REAL, .real = 2.5}, c = {TEXT, .text = "hello"};
    struct value inner = {LIST, .list = {&b, &c}}, outer = {LIST, .list = {&a, &inner}};
    print(&outer), putchar('\n');
    struct value copy = outer;
    copy.list.head = &c, copy.list.tail = 0;
    print(&copy), putchar('\n');
    printf("%zu %d\n", sizeof(struct value), (void *)&a.integer == (void *)a.text);
    return 0;
}
