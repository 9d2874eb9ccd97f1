// basename, dirname, strverscmp and a path normaliser.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libgen.h>

static void normalise(const char *path, char *out) {
    char *parts[32], copy[100];
    int n = 0, absolute = path[0] == '/';
    strcpy(copy, path);
    for (char *p = strtok(copy, "/"); p; p = strtok(NULL, "/")) {
        if (!strcmp(p, ".")) continue;
        if (!strcmp(p, "..") && n && strcmp(parts[n - 1], "..")) n--;
        else if (strcmp(p, "..") || !absolute) parts[n++] = p;
    }
    strcpy(out, absolute ? "/" : n ? "" : ".");
    for (int i = 0; i < n; i++) strcat(out, parts[i]), strcat(out, i + 1 < n ? "/" : "");
}
static int compare(const void *a, const void *b) { return strverscmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    static const char *paths[] = {"/usr/lib/", "/usr", "usr", "/", ".", "..", "a/b/c", "a//b///", "/a/./b/../../c", "../../x", "a/../..", ""};
    for (int i = 0; i < 12; i++) {
        char a[100], b[100], normal[100];
        strcpy(a, paths[i]), strcpy(b, paths[i]), normalise(paths[i], normal);
        printf("%s: %s %s %s\n", paths[i], dirname(a), basename(b), normal);
    }
    const char *versions[] = {"file10", "file9", "file2b", "file2", "file100", "file1.10", "file1.9", "file", "other1"};
    qsort(versions, 9, sizeof *versions, compare);
    for (int i = 0; i < 9; i++) printf("%s ", versions[i]);
    printf("\n%d %d\n", strverscmp("a1", "a1"), strverscmp("1.2", "1.12") < 0);
    return 0;
}
