/* Prints chosen lines, and of these chosen characters or fields.
 *
 * usage: line_range_cutter [-l LIST] [-c LIST | -f LIST] [-d CHARACTER] [-n] [-s] [-v] < text
 *
 *   -l LIST  which lines (default: all)         -c LIST  which characters of a line
 *   -d C     what separates fields (default: tab)  -f LIST  which fields of a line
 *   -n       put the line's number before it    -s       leave out lines without a separator
 *   -v       the lines that are not in LIST
 *
 * LIST is ranges with commas between: `3`, `2-5`, `4-` to the end, `-3` from the start, `2-20~4` every fourth of
 * them, `$` the last, `$2` the last but two (also in ranges: `5-$1`). Numbers count from 1. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 16384, MAX_LINES = 1024, MAX_RANGES = 32, MAX_POSITION = 99999 };

/* A place counted from the start (1 is the first) or from the end (0 is the last). */
struct place {
    int from_end;
    int offset;
};

struct range {
    struct place first;
    struct place last;
    int step;
};

struct list {
    struct range ranges[MAX_RANGES];
    int count;
};

static char text[MAX_TEXT];
static int text_length;

/* Where each line starts; one more entry for the end. */
static int starts[MAX_LINES + 1];
static int line_count;

static struct list lines, characters, fields;
static int has_lines, has_characters, has_fields;
static int separator = '\t';
static int numbered, only_separated, inverted;

_Noreturn static void fail(const char *message)
{
    fprintf(stderr, "line_range_cutter: %s\n", message);
    exit(2);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Each reader of a list takes the text by a pointer that it moves. */

static int read_number(const char **spec)
{
    int value = 0;
    while (is_digit(**spec)) {
        value = value * 10 + (**spec - '0');
        if (value > MAX_POSITION)
            fail("a position is larger than 99999");
        (*spec)++;
    }
    return value;
}

static struct place read_place(const char **spec)
{
    struct place place = { 0, 0 };
    if (**spec == '$') {
        (*spec)++;
        place.from_end = 1;
        place.offset = read_number(spec);
        return place;
    }
    if (!is_digit(**spec))
        fail("a range needs numbers");
    place.offset = read_number(spec);
    if (place.offset == 0)
        fail("positions count from 1");
    return place;
}

static int ends_item(char c)
{
    return c == ',' || c == '~' || c == '\0';
}

static void read_range(struct range *range, const char **spec)
{
    const struct place start = { 0, 1 };
    const struct place end = { 1, 0 };
    range->step = 1;
    range->first = start;
    if (**spec != '-')
        range->first = read_place(spec);
    range->last = range->first;
    if (**spec == '-') {
        (*spec)++;
        range->last = end;
        if (!ends_item(**spec))
            range->last = read_place(spec);
    }
    if (**spec == '~') {
        (*spec)++;
        range->step = read_number(spec);
        if (range->step == 0)
            fail("a step must be at least 1");
    }
    if (range->first.from_end == range->last.from_end) {
        int turned = range->first.from_end ? range->first.offset < range->last.offset
                                           : range->first.offset > range->last.offset;
        if (turned)
            fail("a range ends before it begins");
    }
}

static void read_list(struct list *list, const char *spec)
{
    list->count = 0;
    if (*spec == '\0')
        fail("a list is empty");
    for (;;) {
        if (list->count == MAX_RANGES)
            fail("a list has too many ranges");
        read_range(&list->ranges[list->count++], &spec);
        if (*spec == '\0')
            return;
        if (*spec != ',')
            fail("ranges need commas between them");
        spec++;
    }
}

static int resolve(struct place place, int total)
{
    return place.from_end ? total - place.offset : place.offset;
}

/* Whether the list holds this position, of positions 1 to `total`. */
static int holds(const struct list *list, int position, int total)
{
    for (int i = 0; i < list->count; i++) {
        const struct range *range = &list->ranges[i];
        int first = resolve(range->first, total);
        int last = resolve(range->last, total);
        if (first < 1)
            first = 1;
        if (position >= first && position <= last && (position - first) % range->step == 0)
            return 1;
    }
    return 0;
}

static void read_text(void)
{
    int at_start = 1;
    int c = getchar();
    while (c != EOF) {
        if (text_length == MAX_TEXT)
            fail("the text is longer than 16384 characters");
        if (at_start) {
            if (line_count == MAX_LINES)
                fail("the text has more than 1024 lines");
            starts[line_count++] = text_length;
        }
        text[text_length++] = (char)c;
        at_start = c == '\n';
        c = getchar();
    }
    starts[line_count] = text_length;
}

static int count_separators(const char *line, int length)
{
    int found = 0;
    for (int i = 0; i < length; i++) {
        if ((unsigned char)line[i] == separator)
            found++;
    }
    return found;
}

static void print_characters(const char *line, int length)
{
    for (int i = 0; i < length; i++) {
        if (holds(&characters, i + 1, length))
            putchar(line[i]);
    }
}

static void print_fields(const char *line, int length, int total)
{
    int field = 1;
    int printed = 0;
    int start = 0;
    for (int i = 0; i <= length; i++) {
        if (i < length && (unsigned char)line[i] != separator)
            continue;
        if (holds(&fields, field, total)) {
            if (printed++ > 0)
                putchar(separator);
            fwrite(line + start, 1, (size_t)(i - start), stdout);
        }
        start = i + 1;
        field++;
    }
}

/* One line without its newline. */
static void print_line(const char *line, int length, int number)
{
    int separators = count_separators(line, length);
    if (only_separated && separators == 0)
        return;
    if (numbered)
        printf("%d:", number);
    if (has_characters)
        print_characters(line, length);
    else if (has_fields && separators > 0)
        print_fields(line, length, separators + 1);
    else
        fwrite(line, 1, (size_t)length, stdout);
    putchar('\n');
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (strcmp(option, "-n") == 0) {
            numbered = 1;
        } else if (strcmp(option, "-s") == 0) {
            only_separated = 1;
        } else if (strcmp(option, "-v") == 0) {
            inverted = 1;
        } else if (i + 1 == argc) {
            fail("an option is unknown or lacks its value");
        } else if (strcmp(option, "-l") == 0) {
            has_lines = 1;
            read_list(&lines, argv[++i]);
        } else if (strcmp(option, "-c") == 0) {
            has_characters = 1;
            read_list(&characters, argv[++i]);
        } else if (strcmp(option, "-f") == 0) {
            has_fields = 1;
            read_list(&fields, argv[++i]);
        } else if (strcmp(option, "-d") == 0) {
            i++;
            if (strlen(argv[i]) != 1)
                fail("the separator must be one character");
            separator = (unsigned char)argv[i][0];
        } else {
            fail("an option is unknown");
        }
    }
    if (has_characters && has_fields)
        fail("either characters or fields can be chosen");
}

int main(int argc, char **argv)
{
    int printed = 0;
    read_arguments(argc, argv);
    read_text();
    for (int i = 0; i < line_count; i++) {
        int length = starts[i + 1] - starts[i];
        if (has_lines && holds(&lines, i + 1, line_count) == inverted)
            continue;
        if (text[starts[i] + length - 1] == '\n')
            length--;
        print_line(text + starts[i], length, i + 1);
        printed++;
    }
    return printed > 0 ? 0 : 1;
}
