/* iniget: prints settings of an INI file.
 *
 *   iniget [-f FILE] [-D DEFAULT] SECTION.KEY     the value of one key
 *   iniget [-f FILE] -l                           all keys, as section.key=value
 *
 * The file is settings.ini unless -f names another. Lines are `[section]`, `key = value`,
 * comments that begin with # or ;, or blank. The last value of a key counts.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
    char *name; /* section.key */
    char *value;
    struct entry *next;
};

static struct entry *entries;
static struct entry **last = &entries;

static char *copy(const char *text)
{
    char *result = malloc(strlen(text) + 1);
    if (result == NULL) {
        fprintf(stderr, "iniget: out of memory\n");
        exit(3);
    }
    strcpy(result, text);
    return result;
}

static char *trim(char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static struct entry *find(const char *name)
{
    struct entry *e;
    for (e = entries; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

static void set(const char *name, const char *value)
{
    struct entry *e = find(name);
    if (e != NULL) {
        return;
    }
    e = malloc(sizeof *e);
    if (e == NULL)
        exit(3);
    e->name = copy(name);
    e->value = copy(value);
    e->next = NULL;
    *last = e;
    last = &e->next;
}

static int read_file(const char *path)
{
    char buffer[128];
    char section[128] = "";
    char name[260];
    int line = 0;
    FILE *in = fopen(path, "r");

    if (in == NULL) {
        fprintf(stderr, "iniget: cannot open %s\n", path);
        return 1;
    }
    while (fgets(buffer, sizeof buffer, in) != NULL) {
        char *text = trim(buffer);
        char *equals;
        line++;
        if (*text == '\0' || *text == '#' || *text == ';')
            continue;
        if (*text == '[') {
            char *close = strchr(text, ']');
            if (close == NULL) {
                fprintf(stderr, "%s:%d: missing ]\n", path, line);
                fclose(in);
                return 1;
            }
            *close = '\0';
            strcpy(section, trim(text + 1));
            continue;
        }
        equals = strchr(text, '=');
        if (equals == NULL) {
            fprintf(stderr, "%s:%d: missing =\n", path, line);
            fclose(in);
            return 1;
        }
        *equals = '\0';
        snprintf(name, sizeof name, "%s.%s", section, trim(text));
        set(name, trim(equals + 1));
    }
    fclose(in);
    return 0;
}

int main(int argc, char **argv)
{
    const char *path = "settings.ini";
    const char *fallback = NULL;
    int list = 0;
    int option;
    struct entry *e;

    opterr = 0;
    while ((option = getopt(argc, argv, "f:D:l")) != -1) {
        switch (option) {
        case 'f':
            path = optarg;
            break;
        case 'D':
            fallback = optarg;
            break;
        case 'l':
            list = 1;
            break;
        default:
            fprintf(stderr, "usage: iniget [-f FILE] [-D DEFAULT] SECTION.KEY | -l\n");
            return 2;
        }
    }
    if (argc - optind != !list) {
        fprintf(stderr, "usage: iniget [-f FILE] [-D DEFAULT] SECTION.KEY | -l\n");
        return 2;
    }
    if (read_file(path) != 0)
        return 3;
    if (list) {
        for (e = entries; e != NULL; e = e->next)
            printf("%s=%s\n", e->name, e->value);
        return 0;
    }
    e = find(argv[optind]);
    if (e == NULL && fallback == NULL) {
        fprintf(stderr, "iniget: no such key: %s\n", argv[optind]);
        return 1;
    }
    puts(e != NULL ? e->value : fallback);
    return 0;
}
