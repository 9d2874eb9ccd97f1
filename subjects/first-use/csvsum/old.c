/* csvsum: sums a column of comma-separated values from standard input.
 *
 *   csvsum [-H] [-d DELIMITER] COLUMN
 *
 * -H skips a header line. Fields may be quoted; "" within quotes is one quote.
 * A field that is not a whole number is reported and left out; the status is 1 then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 256
#define MAX_FIELDS 16

struct row {
    int count;
    char *fields[MAX_FIELDS];
    char text[MAX_LINE];
};

/* Splits `line` into the row's fields; -1 if a quote stays open or there are too many fields. */
static int split(struct row *row, const char *line, char delimiter)
{
    char *out = row->text;
    const char *in = line;
    int quoted = 0;

    row->count = 1;
    row->fields[0] = out;
    while (*in != '\0' && (*in != '\n' || quoted)) {
        char c = *in++;
        if (quoted) {
            if (c != '"') {
                *out++ = c;
            } else if (*in == '"') {
                *out++ = '"';
                in++;
            } else {
                quoted = 0;
            }
        } else if (c == '"') {
            quoted = 1;
        } else if (c == delimiter) {
            *out++ = '\0';
            if (row->count == MAX_FIELDS)
                return -1;
            row->fields[row->count++] = out;
        } else {
            *out++ = c;
        }
    }
    *out = '\0';
    return quoted ? -1 : 0;
}

static int to_number(const char *field, long *number)
{
    char *end;

    if (*field == '\0')
        return -1;
    *number = strtol(field, &end, 10);
    while (*end == ' ')
        end++;
    if (*end != '\0' || *number > 1000000000 || *number < -1000000000)
        return -1;
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: csvsum [-H] [-d DELIMITER] COLUMN\n");
    return 2;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE];
    struct row row;
    char delimiter = ',';
    int header = 0;
    int column;
    int bad = 0;
    long line_number = 0;
    long rows = 0;
    long sum = 0;
    int i = 1;

    while (i < argc && argv[i][0] == '-') {
        if (strcmp(argv[i], "-H") == 0) {
            header = 1;
        } else if (strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
            i++;
            if (strlen(argv[i]) != 1)
                return usage();
            delimiter = argv[i][0];
        } else {
            return usage();
        }
        i++;
    }
    if (i + 1 != argc)
        return usage();
    column = atoi(argv[i]);
    if (column < 1 || column > MAX_FIELDS) {
        fprintf(stderr, "csvsum: no column %s\n", argv[i]);
        return 2;
    }

    while (fgets(line, sizeof line, stdin) != NULL) {
        long number;
        line_number++;
        if (header && line_number == 1)
            continue;
        if (line[0] == '\n')
            continue;
        if (split(&row, line, delimiter) != 0) {
            fprintf(stderr, "line %ld: malformed\n", line_number);
            bad = 1;
            continue;
        }
        if (row.count < column) {
            fprintf(stderr, "line %ld: only %d fields\n", line_number, row.count);
            bad = 1;
            continue;
        }
        if (to_number(row.fields[column - 1], &number) != 0) {
            fprintf(stderr, "line %ld: not a number: %s\n", line_number, row.fields[column - 1]);
            bad = 1;
            continue;
        }
        sum += number;
        rows++;
    }
    printf("%ld rows, sum %ld\n", rows, sum);
    return bad;
}
