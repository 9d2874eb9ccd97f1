// strtok, strtok_r, strsep, and nested use of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char csv[] = "  alpha, beta,,gamma ,  ,delta,";
    for (char *t = strtok(csv, ", "); t; t = strtok(NULL, ", ")) printf("[%s]", t);
    putchar('\n');
    char fields[] = "a::b:c:", *rest = fields, *field;
    while ((field = strsep(&rest, ":"))) printf("<%s>", field);
    putchar('\n');
    char nested[] = "k1=v1;k2=v2=x;k3;=v4", *outer, *inner;
    for (char *pair = strtok_r(nested, ";", &outer); pair; pair = strtok_r(NULL, ";", &outer)) {
        char *key = strtok_r(pair, "=", &inner), *value = strtok_r(NULL, "=", &inner);
        printf("%s->%s ", key, value ? value : "none");
    }
    putchar('\n');
    char empty[] = "", only[] = ";;;";
    printf("%d %d\n", strtok(empty, ";") == NULL, strtok(only, ";") == NULL);
    char sentence[] = "Sphinx of black quartz judge my vow";
    int lengths[20] = {0}, words = 0;
    for (char *w = strtok(sentence, " "); w; w = strtok(NULL, " ")) lengths[strlen(w)]++, words++;
    for (int i = 0; i < 10; i++) printf("%d", lengths[i]);
    printf(" %d\n", words);
    char *copy = strdup("duplicate me"), *part = strndup(copy + 3, 5);
    copy[0] = 'D';
    printf("%s %s %zu\n", copy, part, strlen(part));
    free(copy), free(part);
    char reversed[] = "stressed";
    for (size_t i = 0, j = strlen(reversed) - 1; i < j; i++, j--) { char t = reversed[i]; reversed[i] = reversed[j], reversed[j] = t; }
    puts(reversed);
    return 0;
}
