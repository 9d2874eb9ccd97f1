/* Replaces what matches a pattern, line by line.
 *
 * usage: search_replace [-1] [-c] [-i] [-v] PATTERN REPLACEMENT < text
 *
 *   -1  only the first match of a line      -c  print how many lines had a match, and nothing else
 *   -i  letters match in either case        -v  print only the lines without a match, unchanged
 *
 * PATTERN: an ordinary character; `.` any character; `[abc]`, `[a-z]`, `[^a-z]` classes; `\d` `\w` `\s` digits,
 * word characters, blanks; `\t` a tab; `\` before any other sign takes it literally. `*`, `+`, `?` and `{m,n}`
 * repeat the item before them, as often as possible. `^` first and `$` last hold the match to the ends of the
 * line. `\(` and `\)` mark up to nine groups. `\<` is the start of a word.
 * REPLACEMENT: `&` the match, `\1` to `\9` the groups, `\t` a tab, `\u` the next letter in upper case, `\` any
 * other sign literally. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ITEMS = 64,
    MAX_GROUPS = 9,
    MAX_LINE = 512,
    MAX_OUTPUT = 4096,
    MAX_REPEAT = 99,
    MAX_STEPS = 200000,
    UNBOUNDED = 1000
};

enum { STATUS_DONE = 0, STATUS_NO_MATCH = 1, STATUS_USAGE = 2, STATUS_LIMIT = 3 };

enum item_kind { CHARACTER, ANY, CLASS, WORD_START, GROUP_OPEN, GROUP_CLOSE, LINE_END };

struct item {
    enum item_kind kind;
    unsigned char character;
    unsigned char members[32]; /* one bit for each character of a class */
    int least;
    int most;
    int group;
};

struct pattern {
    struct item items[MAX_ITEMS];
    int count;
    int groups;
    int at_line_start;
};

struct span {
    int from;
    int to;
};

struct match {
    struct span whole;
    struct span groups[MAX_GROUPS + 1];
};

struct options {
    int first_only;
    int count_only;
    int ignore_case;
    int invert;
};

struct line {
    unsigned char bytes[MAX_LINE];
    int length;
    int ended; /* with a newline */
};

static struct options options;
static long steps_left;

_Noreturn static void fail(int status, const char *message)
{
    fflush(stdout);
    fprintf(stderr, "search_replace: %s\n", message);
    exit(status);
}

/* Characters */

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static int is_word(int c)
{
    return is_digit(c) || is_upper(c) || is_lower(c) || c == '_';
}

static int to_lower(int c)
{
    return is_upper(c) ? c - 'A' + 'a' : c;
}

static int to_upper(int c)
{
    return is_lower(c) ? c - 'a' + 'A' : c;
}

/* Classes */

static void add_member(struct item *item, int c)
{
    item->members[c >> 3] |= (unsigned char)(1 << (c & 7));
}

static int has_member(const struct item *item, int c)
{
    return (item->members[c >> 3] >> (c & 7)) & 1;
}

static void add_range(struct item *item, int first, int last)
{
    for (int c = first; c <= last; c++)
        add_member(item, c);
}

static void add_named_class(struct item *item, int name)
{
    if (name == 'd' || name == 'w')
        add_range(item, '0', '9');
    if (name == 'w') {
        add_range(item, 'a', 'z');
        add_range(item, 'A', 'Z');
        add_member(item, '_');
    }
    if (name == 's') {
        add_member(item, ' ');
        add_member(item, '\t');
    }
}

/* With -i a class holds both cases of each of its letters. */
static void add_other_case(struct item *item)
{
    for (int c = 'a'; c <= 'z'; c++) {
        if (has_member(item, c) || has_member(item, to_upper(c))) {
            add_member(item, c);
            add_member(item, to_upper(c));
        }
    }
}

static void complement(struct item *item)
{
    for (int i = 0; i < 32; i++)
        item->members[i] = (unsigned char)~item->members[i];
}

/* The pattern is read from left to right; each function starts at a position and returns the one behind. */

static struct item *new_item(struct pattern *pattern, enum item_kind kind)
{
    if (pattern->count == MAX_ITEMS)
        fail(STATUS_USAGE, "the pattern is too long");
    struct item *item = &pattern->items[pattern->count++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->least = 1;
    item->most = 1;
    return item;
}

/* One member of a class, with its escapes. */
static int read_member(const char *text, int at, int *member)
{
    if (text[at] == '\\' && text[at + 1] != '\0') {
        at++;
        *member = text[at] == 't' ? '\t' : (unsigned char)text[at];
    } else {
        *member = (unsigned char)text[at];
    }
    return at + 1;
}

static int read_class(struct pattern *pattern, const char *text, int at)
{
    struct item *item = new_item(pattern, CLASS);
    int negated = 0;
    int members = 0;
    at++;
    if (text[at] == '^') {
        negated = 1;
        at++;
    }
    while (text[at] != ']' || members == 0) {
        int first = 0;
        int last = 0;
        if (text[at] == '\0')
            fail(STATUS_USAGE, "a class is not closed by `]`");
        if (text[at] == '\\' && text[at + 1] != '\0' && strchr("dws", text[at + 1]) != NULL) {
            add_named_class(item, text[at + 1]);
            at += 2;
            members++;
            continue;
        }
        at = read_member(text, at, &first);
        last = first;
        if (text[at] == '-' && text[at + 1] != ']' && text[at + 1] != '\0') {
            at = read_member(text, at + 1, &last);
            if (last < first)
                fail(STATUS_USAGE, "a range ends before it begins");
        }
        add_range(item, first, last);
        members++;
    }
    if (options.ignore_case)
        add_other_case(item);
    if (negated)
        complement(item);
    return at + 1;
}

static int read_escape(struct pattern *pattern, const char *text, int at, int *open_groups, int *open_count)
{
    char sign = text[at + 1];
    if (sign == '\0')
        fail(STATUS_USAGE, "the pattern ends with a single `\\`");
    if (sign == '(') {
        if (pattern->groups == MAX_GROUPS)
            fail(STATUS_USAGE, "more than nine groups");
        pattern->groups++;
        new_item(pattern, GROUP_OPEN)->group = pattern->groups;
        open_groups[(*open_count)++] = pattern->groups;
    } else if (sign == ')') {
        if (*open_count == 0)
            fail(STATUS_USAGE, "`\\)` without `\\(`");
        new_item(pattern, GROUP_CLOSE)->group = open_groups[--*open_count];
    } else if (sign == '<') {
        new_item(pattern, WORD_START);
    } else if (sign == 'd' || sign == 'w' || sign == 's') {
        add_named_class(new_item(pattern, CLASS), sign);
    } else {
        new_item(pattern, CHARACTER)->character = sign == 't' ? '\t' : (unsigned char)sign;
    }
    return at + 2;
}

static int read_number(const char *text, int at, int *number)
{
    int value = 0;
    if (!is_digit(text[at]))
        fail(STATUS_USAGE, "a repetition needs numbers: `{m,n}`");
    while (is_digit(text[at])) {
        value = value * 10 + (text[at] - '0');
        if (value > MAX_REPEAT)
            fail(STATUS_USAGE, "a repetition is larger than 99");
        at++;
    }
    *number = value;
    return at;
}

static int read_bounds(struct item *item, const char *text, int at)
{
    at = read_number(text, at + 1, &item->least);
    item->most = item->least;
    if (text[at] == ',') {
        at++;
        if (text[at] == '}')
            item->most = UNBOUNDED;
        else
            at = read_number(text, at, &item->most);
    }
    if (text[at] != '}')
        fail(STATUS_USAGE, "a repetition is not closed by `}`");
    if (item->most < item->least)
        fail(STATUS_USAGE, "a repetition ends before it begins");
    return at + 1;
}

static int can_repeat(const struct item *item)
{
    return item->kind == CHARACTER || item->kind == ANY || item->kind == CLASS;
}

/* The repetition that follows an item, if there is one. */
static int read_repetition(struct pattern *pattern, const char *text, int at)
{
    struct item *item = &pattern->items[pattern->count - 1];
    if (text[at] != '*' && text[at] != '+' && text[at] != '?' && text[at] != '{')
        return at;
    if (!can_repeat(item))
        fail(STATUS_USAGE, "only characters and classes can be repeated");
    switch (text[at]) {
    case '*':
        item->least = 0;
        item->most = UNBOUNDED;
        break;
    case '+':
        item->most = UNBOUNDED;
        break;
    case '?':
        item->least = 0;
        break;
    default:
        return read_bounds(item, text, at);
    }
    return at + 1;
}

static void read_pattern(struct pattern *pattern, const char *text)
{
    int open_groups[MAX_GROUPS];
    int open_count = 0;
    int at = 0;
    memset(pattern, 0, sizeof *pattern);
    if (text[at] == '^') {
        pattern->at_line_start = 1;
        at++;
    }
    while (text[at] != '\0') {
        if (text[at] == '$' && text[at + 1] == '\0') {
            new_item(pattern, LINE_END);
            break;
        }
        if (text[at] == '[') {
            at = read_class(pattern, text, at);
        } else if (text[at] == '\\') {
            at = read_escape(pattern, text, at, open_groups, &open_count);
        } else if (text[at] == '.') {
            new_item(pattern, ANY);
            at++;
        } else if (strchr("*+?{", text[at]) != NULL) {
            fail(STATUS_USAGE, "a repetition has nothing to repeat");
        } else {
            new_item(pattern, CHARACTER)->character = (unsigned char)text[at];
            at++;
        }
        at = read_repetition(pattern, text, at);
    }
    if (open_count > 0)
        fail(STATUS_USAGE, "`\\(` without `\\)`");
    if (pattern->count == 0 && !pattern->at_line_start)
        fail(STATUS_USAGE, "the pattern is empty");
}

/* Matching: backtracking over how often each item is repeated. */

static int item_matches(const struct item *item, int c)
{
    switch (item->kind) {
    case CHARACTER:
        return item->character == c || (options.ignore_case && to_lower(item->character) == to_lower(c));
    case ANY:
        return 1;
    case CLASS:
        return has_member(item, c);
    default:
        return 0;
    }
}

static int starts_word(const struct line *line, int at)
{
    if (at >= line->length || !is_word(line->bytes[at]))
        return 0;
    return at == 0 || !is_word(line->bytes[at - 1]);
}

static int match_items(const struct pattern *pattern, int index, const struct line *line, int at,
                       struct match *match)
{
    if (--steps_left < 0)
        fail(STATUS_LIMIT, "the pattern takes too long on this line");
    if (index == pattern->count) {
        match->whole.to = at;
        return 1;
    }
    const struct item *item = &pattern->items[index];
    if (item->kind == LINE_END)
        return at == line->length && match_items(pattern, index + 1, line, at, match);
    if (item->kind == WORD_START)
        return starts_word(line, at) && match_items(pattern, index + 1, line, at, match);
    if (item->kind == GROUP_OPEN) {
        match->groups[item->group].from = at;
        return match_items(pattern, index + 1, line, at, match);
    }
    if (item->kind == GROUP_CLOSE) {
        match->groups[item->group].to = at;
        return match_items(pattern, index + 1, line, at, match);
    }
    int taken = 0;
    while (taken < item->most && at + taken < line->length && item_matches(item, line->bytes[at + taken]))
        taken++;
    for (; taken >= item->least; taken--) {
        if (match_items(pattern, index + 1, line, at + taken, match))
            return 1;
    }
    return 0;
}

/* The leftmost match that starts at `from` or later. */
static int find_match(const struct pattern *pattern, const struct line *line, int from, struct match *match)
{
    for (int at = from; at <= line->length; at++) {
        if (pattern->at_line_start && at > 0)
            return 0;
        memset(match, 0, sizeof *match);
        match->whole.from = at;
        if (match_items(pattern, 0, line, at, match))
            return 1;
    }
    return 0;
}

/* Output: one line is collected before it is written, so that a failure leaves no half line. */

static unsigned char output[MAX_OUTPUT];
static int output_length;

static void put(int c)
{
    if (output_length == MAX_OUTPUT)
        fail(STATUS_LIMIT, "a changed line is too long");
    output[output_length++] = (unsigned char)c;
}

static void put_span(const struct line *line, struct span span, int *upper_next)
{
    for (int i = span.from; i < span.to; i++) {
        put(*upper_next ? to_upper(line->bytes[i]) : line->bytes[i]);
        *upper_next = 0;
    }
}

static void put_replacement(const char *replacement, const struct line *line, const struct match *match)
{
    int upper_next = 0;
    for (int i = 0; replacement[i] != '\0'; i++) {
        int c = (unsigned char)replacement[i];
        if (c == '&') {
            put_span(line, match->whole, &upper_next);
        } else if (c == '\\' && is_digit(replacement[i + 1]) && replacement[i + 1] != '0') {
            i++;
            put_span(line, match->groups[replacement[i] - '0'], &upper_next);
        } else if (c == '\\' && replacement[i + 1] == 'u') {
            i++;
            upper_next = 1;
        } else {
            if (c == '\\' && replacement[i + 1] != '\0') {
                i++;
                c = replacement[i] == 't' ? '\t' : (unsigned char)replacement[i];
            }
            put(upper_next ? to_upper(c) : c);
            upper_next = 0;
        }
    }
}

static void flush_output(int with_newline)
{
    if (with_newline)
        put('\n');
    fwrite(output, 1, (size_t)output_length, stdout);
    output_length = 0;
}

/* The changed line in `output`; the number of matches is returned. */
static int replace_in_line(const struct pattern *pattern, const char *replacement, const struct line *line)
{
    struct match match;
    int matches = 0;
    int at = 0;
    steps_left = MAX_STEPS;
    while (at <= line->length && find_match(pattern, line, at, &match)) {
        matches++;
        while (at < match.whole.from)
            put(line->bytes[at++]);
        put_replacement(replacement, line, &match);
        at = match.whole.to;
        if (match.whole.to == match.whole.from) {
            /* An empty match: step over one character, or look at it for ever. */
            if (at < line->length)
                put(line->bytes[at]);
            at++;
        }
        if (options.first_only)
            break;
    }
    while (at < line->length)
        put(line->bytes[at++]);
    return matches;
}

static int read_line(struct line *line)
{
    int c = getchar();
    line->length = 0;
    line->ended = 0;
    if (c == EOF)
        return 0;
    while (c != EOF && c != '\n') {
        if (line->length == MAX_LINE)
            fail(STATUS_LIMIT, "a line is longer than 512 characters");
        line->bytes[line->length++] = (unsigned char)c;
        c = getchar();
    }
    line->ended = c == '\n';
    return 1;
}

static void check_replacement(const char *replacement, const struct pattern *pattern)
{
    for (int i = 0; replacement[i] != '\0'; i++) {
        if (replacement[i] != '\\')
            continue;
        i++;
        if (replacement[i] == '\0')
            fail(STATUS_USAGE, "the replacement ends with a single `\\`");
        if (is_digit(replacement[i]) && replacement[i] - '0' > pattern->groups)
            fail(STATUS_USAGE, "the replacement names a group that the pattern lacks");
    }
}

static int read_options(int argc, char **argv)
{
    int next = 1;
    for (; next < argc && argv[next][0] == '-' && argv[next][1] != '\0'; next++) {
        if (strcmp(argv[next], "--") == 0)
            return next + 1;
        for (const char *letter = argv[next] + 1; *letter != '\0'; letter++) {
            switch (*letter) {
            case '1':
                options.first_only = 1;
                break;
            case 'c':
                options.count_only = 1;
                break;
            case 'i':
                options.ignore_case = 1;
                break;
            case 'v':
                options.invert = 1;
                break;
            default:
                fail(STATUS_USAGE, "unknown option");
            }
        }
    }
    return next;
}

int main(int argc, char **argv)
{
    static struct pattern pattern;
    static struct line line;
    int changed_lines = 0;
    int next = read_options(argc, argv);
    if (argc - next != 2)
        fail(STATUS_USAGE, "usage: search_replace [-1] [-c] [-i] [-v] PATTERN REPLACEMENT");
    read_pattern(&pattern, argv[next]);
    check_replacement(argv[next + 1], &pattern);
    while (read_line(&line)) {
        int matches = replace_in_line(&pattern, argv[next + 1], &line);
        if (matches > 0)
            changed_lines++;
        if (options.count_only || (options.invert && matches > 0))
            output_length = 0;
        else
            flush_output(line.ended);
    }
    if (options.count_only)
        printf("%d\n", changed_lines);
    return changed_lines > 0 ? STATUS_DONE : STATUS_NO_MATCH;
}
