// Macros: X-macros, stringising, pasting, variadic, recursion guards, __LINE__ and __func__.
#include <stdio.h>
#include <string.h>

#define COLOURS(X) X(red, 0xff0000) X(green, 0x00ff00) X(blue, 0x0000ff)
#define AS_ENUM(name, value) COLOUR_##name,
#define AS_NAME(name, value) #name,
#define AS_VALUE(name, value) [COLOUR_##name] = value,
enum colour { COLOURS(AS_ENUM) COLOUR_COUNT };
static const char *const names[] = {COLOURS(AS_NAME)};
static const int values[] = {COLOURS(AS_VALUE)};

#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define COUNT_(a, b, c, d, e, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define LOG(form, ...) printf("%s: " form "\n", __func__, ##__VA_ARGS__)
#define SQUARE_WRONG(x) x * x
#define SQUARE(x) ((x) * (x))
#define VERSION 3.JOIN(1, 4)

static void inner(void) { LOG("plain"), LOG("%d %s", 5, "args"); }

int main(void) {
    for (int i = 0; i < COLOUR_COUNT; i++) printf("%s %06x\n", names[i], values[i]);
    printf("%s %s %s\n", STRING(VERSION), STRING_(VERSION), STRING("quo\te"));
    int JOIN(variable, 7) = COUNT(a, b, c);
    printf("%d %d %d\n", variable7, COUNT(x), COUNT(1, 2, 3, 4, 5));
    printf("%d %d\n", SQUARE_WRONG(1 + 2), SQUARE(1 + 2));
    inner();
#line 1000
    printf("%d\n", __LINE__);
    printf("%d %s\n", __COUNTER__ + __COUNTER__ * 10 + __COUNTER__ * 100, "adjacent " "strings" "\x41" "B");
#if defined(COLOURS) && COLOUR_red == 0 && !defined(NOTHING)
    puts("conditional");
#elif 1
    puts("wrong");
#endif
    printf("%zu %d\n", strlen(STRING(a   +   b)), __STDC__);
    return 0;
}
