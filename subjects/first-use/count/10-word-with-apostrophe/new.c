/* count: lines, words, bytes and the longest line of standard input.
 *
 *   count [-lwcL] [-m MIN]      -m: count only words of at least MIN letters
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
    int lines;
    int words;
    int bytes;
    int longest;
    long min_length;
};

struct counts {
    unsigned long lines;
    unsigned long words;
    unsigned long bytes;
    unsigned long longest;
};

static void usage(FILE *out)
{
    fprintf(out, "usage: count [-lwcL] [-m MIN]\n");
}

static int parse_min(const char *text, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        return -1;
    if (errno == ERANGE || *value < 1 || *value > 1000)
        return -1;
    return 0;
}

static int parse_options(int argc, char **argv, struct options *o)
{
    int c;
    o->lines = o->words = o->bytes = o->longest = 0;
    o->min_length = 1;
    opterr = 0;
    while ((c = getopt(argc, argv, "lwcLm:h")) != -1) {
        switch (c) {
        case 'l':
            o->lines = 1;
            break;
        case 'w':
            o->words = 1;
            break;
        case 'c':
            o->bytes = 1;
            break;
        case 'L':
            o->longest = 1;
            break;
        case 'm':
            if (parse_min(optarg, &o->min_length) != 0) {
                fprintf(stderr, "count: bad minimum '%s'\n", optarg);
                return 2;
            }
            break;
        case 'h':
            usage(stdout);
            exit(0);
        default:
            usage(stderr);
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "count: unexpected argument '%s'\n", argv[optind]);
        return 2;
    }
    if (!o->lines && !o->words && !o->bytes && !o->longest)
        o->lines = o->words = o->bytes = 1;
    return 0;
}

static void end_word(struct counts *k, long length, const struct options *o)
{
    if (length >= o->min_length)
        k->words++;
}

static void count_stream(FILE *in, struct counts *k, const struct options *o)
{
    int c;
    long word = 0;
    unsigned long column = 0;

    while ((c = getc(in)) != EOF) {
        k->bytes++;
        if (c == '\n') {
            k->lines++;
            if (column > k->longest)
                k->longest = column;
            column = 0;
        } else if (c == '\t') {
            column += 8 - column % 8;
        } else {
            column++;
        }
        if (!isalnum(c) && c != '\'') {
            if (word > 0)
                end_word(k, word, o);
            word = 0;
        } else {
            word++;
        }
    }
    if (word > 0)
        end_word(k, word, o);
    if (column > k->longest)
        k->longest = column;
}

static void print_count(unsigned long value, int *first)
{
    if (!*first)
        putchar(' ');
    printf("%lu", value);
    *first = 0;
}

int main(int argc, char **argv)
{
    struct options o;
    struct counts k = {0, 0, 0, 0};
    int first = 1;
    int status = parse_options(argc, argv, &o);

    if (status != 0)
        return status;
    count_stream(stdin, &k, &o);
    if (ferror(stdin)) {
        perror("count: standard input");
        return 1;
    }
    if (o.lines)
        print_count(k.lines, &first);
    if (o.words)
        print_count(k.words, &first);
    if (o.bytes)
        print_count(k.bytes, &first);
    if (o.longest)
        print_count(k.longest, &first);
    putchar('\n');
    return 0;
}
