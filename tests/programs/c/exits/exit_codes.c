// exit statuses from every way of ending, including values above 255 and negative ones.
//@ run: return
//@ args: return 7
//@ run: return large
//@ args: return 300
//@ run: exit
//@ args: exit 42
//@ run: exit negative
//@ args: exit -1
//@ run: exit 256
//@ args: exit 256
//@ run: _exit
//@ args: _exit 9
//@ run: _Exit
//@ args: _Exit 10
//@ run: quick_exit
//@ args: quick 11
//@ run: nothing
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void bye(void) { puts("atexit ran"); }
static void quick(void) { fputs("quick handler\n", stderr); }

int main(int argc, char **argv) {
    atexit(bye), at_quick_exit(quick);
    if (argc < 3) return 0;
    int code = atoi(argv[2]);
    printf("ending with %s %d\n", argv[1], code);
    if (argv[1][0] == '_' || argv[1][0] == 'q') fflush(stdout);
    if (!strcmp(argv[1], "return")) return code;
    if (!strcmp(argv[1], "exit")) exit(code);
    if (!strcmp(argv[1], "_exit")) _exit(code);
    if (!strcmp(argv[1], "_Exit")) _Exit(code);
    quick_exit(code);
}
