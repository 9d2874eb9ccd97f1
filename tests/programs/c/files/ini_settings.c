// Reads settings from a given file, overrides them from the environment, writes them back sorted.
//@ file: app.ini=; comment\n[net]\nhost = example.org\nport=8080\n\n[ui]\n  theme = dark  \nbroken line\n[net]\nport = 9090\n
//@ env: APP_UI_THEME=light
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { char key[32], value[32]; } settings[20];
static int count;
static void set(const char *key, const char *value) {
    int i = 0;
    while (i < count && strcmp(settings[i].key, key)) i++;
    if (i == count) snprintf(settings[count++].key, 32, "%s", key);
    snprintf(settings[i].value, 32, "%s", value);
}
static char *trim(char *s) {
    while (isspace((unsigned char)*s)) s++;
    for (char *e = s + strlen(s); e > s && isspace((unsigned char)e[-1]);) *--e = 0;
    return s;
}
static int compare(const void *a, const void *b) { return strcmp(a, b); }

int main(void) {
    FILE *f = fopen("app.ini", "r");
    char line[100], section[20] = "", key[64];
    for (int n = 1; fgets(line, sizeof line, f); n++) {
        char *s = trim(line), *equals = strchr(s, '=');
        if (!*s || *s == ';') continue;
        if (*s == '[') { sscanf(s, "[%19[^]]", section); continue; }
        if (!equals) { fprintf(stderr, "app.ini:%d: no '=' in \"%s\"\n", n, s); continue; }
        *equals = 0;
        snprintf(key, sizeof key, "%s.%s", section, trim(s));
        set(key, trim(equals + 1));
    }
    fclose(f);
    for (int i = 0; i < count; i++) {
        char name[80] = "APP_";
        for (char *p = settings[i].key; *p; p++) strncat(name, (char[]){*p == '.' ? '_' : (char)toupper((unsigned char)*p), 0}, 1);
        if (getenv(name)) set(settings[i].key, getenv(name)), printf("override %s\n", name);
    }
    qsort(settings, (size_t)count, sizeof *settings, compare);
    f = fopen("app.out", "w");
    for (int i = 0; i < count; i++) fprintf(f, "%s=%s\n", settings[i].key, settings[i].value);
    fclose(f), f = fopen("app.out", "r");
    while (fgets(line, sizeof line, f)) fputs(line, stdout);
    fclose(f);
    return count;
}
