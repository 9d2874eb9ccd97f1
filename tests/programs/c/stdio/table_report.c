// Reads a table with scanf, computes columns, and prints an aligned report with totals.
//@ stdin: apples 12 0.25\npears 7 0.40\nmelons 3 2.99\nnuts x 1\nfigs 100 0.1\n
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[20];
    int count, line = 0, width = 0, rows = 0;
    double price, total = 0;
    struct { char name[20]; int count; double price; } table[10];
    for (;;) {
        int read = scanf("%19s %d %lf", name, &count, &price);
        if (read == EOF) break;
        line++;
        if (read != 3) {
            char rest[50];
            fprintf(stderr, "line %d: bad entry for %s (%d fields)\n", line, name, read);
            if (!fgets(rest, sizeof rest, stdin)) break;
            continue;
        }
        strcpy(table[rows].name, name), table[rows].count = count, table[rows++].price = price;
        if ((int)strlen(name) > width) width = (int)strlen(name);
    }
    printf("%-*s | %5s | %8s | %9s\n", width, "item", "count", "price", "sum");
    for (int i = 0; i < rows; i++) {
        double sum = table[i].count * table[i].price;
        printf("%-*s | %5d | %8.2f | %+9.3f\n", width, table[i].name, table[i].count, table[i].price, sum);
        total += sum;
    }
    printf("%.*s\n%*s%.2f\n", width + 31, "----------------------------------------------------------------", width + 22, "total ", total);
    return line - rows;
}
