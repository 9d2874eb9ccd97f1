// atexit handlers run in reverse order, may register more, and may write to streams.
#include <stdio.h>
#include <stdlib.h>

static int depth;
static void last(void) { printf("last %d\n", depth); }
static void registered_late(void) { printf("late %d\n", ++depth); }
static void first(void) { printf("first %d\n", ++depth), atexit(registered_late); }
static void middle(void) { printf("middle %d\n", ++depth); }
static void repeated(void) { printf("repeated %d\n", ++depth); }

__attribute__((constructor)) static void before(void) { puts("constructor"); }
__attribute__((destructor)) static void after(void) { puts("destructor"); }

static void nested(int n) {
    if (n == 0) exit(3);
    nested(n - 1);
    puts("never");
}

int main(void) {
    atexit(last);
    for (int i = 0; i < 35; i++) atexit(repeated);
    atexit(middle), atexit(first);
    FILE *f = fopen("unflushed", "w");
    fputs("flushed at exit", f);
    fputs("no newline at the end", stdout);
    nested(4);
}
