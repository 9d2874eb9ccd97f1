// Structs of 1 to 16 bytes passed and returned by value.
#include <stdio.h>

#define TYPE(name, size) struct name { unsigned char bytes[size]; };
#define FUNCTION(name)                                                                                 \
    static struct name step_##name(struct name s, int by) {                                            \
        for (unsigned i = 0; i < sizeof s; i++) s.bytes[i] = (unsigned char)(s.bytes[i] * 3 + by + i);  \
        return s;                                                                                      \
    }
#define RUN(name)                                                                                      \
    do {                                                                                               \
        struct name s = {{1}}, before;                                                                 \
        for (int i = 0; i < 5; i++) before = s, s = step_##name(s, i);                                  \
        printf("%s:", #name);                                                                          \
        for (unsigned i = 0; i < sizeof s; i++) printf(" %d", s.bytes[i] ^ before.bytes[i]);            \
        putchar('\n');                                                                                 \
    } while (0)

TYPE(s1, 1) TYPE(s2, 2) TYPE(s3, 3) TYPE(s5, 5) TYPE(s7, 7) TYPE(s8, 8) TYPE(s9, 9) TYPE(s12, 12) TYPE(s13, 13) TYPE(s16, 16) TYPE(s17, 17)
FUNCTION(s1) FUNCTION(s2) FUNCTION(s3) FUNCTION(s5) FUNCTION(s7) FUNCTION(s8) FUNCTION(s9) FUNCTION(s12) FUNCTION(s13) FUNCTION(s16) FUNCTION(s17)

struct pair { int first; char second; };
static struct pair swap(struct pair p) { return (struct pair){p.second, (char)p.first}; }
static int all(struct s3 a, struct s12 b, struct pair c, struct s1 d) { return a.bytes[2] + b.bytes[11] + c.first + c.second + d.bytes[0]; }

int main(void) {
    RUN(s1); RUN(s2); RUN(s3); RUN(s5); RUN(s7); RUN(s8); RUN(s9); RUN(s12); RUN(s13); RUN(s16); RUN(s17);
    struct pair p = swap(swap((struct pair){-70, 'z'}));
    printf("%d %d\n", p.first, p.second);
    printf("%d\n", all((struct s3){{1, 2, 3}}, (struct s12){{[11] = 40}}, p, (struct s1){{200}}));
    printf("%d\n", swap((struct pair){.first = 'A'}).second);
    return 0;
}
