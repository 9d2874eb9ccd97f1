// getenv, setenv, unsetenv, putenv, clearenv and environ.
//@ env: GREETING=hello world
//@ env: EMPTY=
//@ env: EQUALS=a=b=c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;
static void show(const char *name) { const char *v = getenv(name); printf("%s=%s\n", name, v ? v : "(unset)"); }
static int count(void) { int n = 0; for (char **e = environ; e && *e; e++) n++; return n; }

int main(void) {
    show("GREETING"), show("EMPTY"), show("EQUALS"), show("MISSING"), show("GREET");
    printf("%d %d\n", setenv("NEW", "value", 0), count() > 3);
    show("NEW");
    setenv("NEW", "ignored", 0), show("NEW");
    setenv("NEW", "replaced", 1), show("NEW");
    int before = count();
    unsetenv("GREETING"), show("GREETING");
    printf("%d\n", before - count());
    static char entry[] = "PUT=first";
    putenv(entry), show("PUT");
    memcpy(entry + 4, "FIRST", 5), show("PUT");
    printf("%d %d\n", setenv("A=B", "x", 1), setenv("", "x", 1));
    for (int i = 0; i < 50; i++) {
        char name[16], value[16];
        snprintf(name, sizeof name, "VAR%d", i), snprintf(value, sizeof value, "%d", i * i);
        setenv(name, value, 1);
    }
    show("VAR7"), show("VAR49");
    clearenv();
    show("VAR7"), printf("%d\n", count());
    return 0;
}
