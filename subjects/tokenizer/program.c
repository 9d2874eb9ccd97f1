/* Splits a small programming language into tokens and prints one a line: line:column kind text.
 *
 * usage: tokenizer [-c] [-k] < source
 *
 *   -c  print how many tokens there are of each kind, not the tokens
 *   -k  keep comments as tokens
 *
 * Words (letters, digits, `_`), keywords, whole numbers (decimal, 0x…, 0b…, with `_` between digits), decimal
 * fractions, "strings" and 'characters' with \ escapes, `#` and nested `{- -}` comments, and operators of up to
 * three signs. An error is printed in place of the token, reading goes on behind it, and the status is 1. */

#include <stdio.h>
#include <string.h>

enum { MAX_SOURCE = 8192, MAX_NUMBER = 100000000 };

enum kind { WORD, KEYWORD, NUMBER, FRACTION, STRING, CHARACTER, OPERATOR, COMMENT, ERROR, KINDS };

static const char *const kind_names[KINDS] = {
    "word", "keyword", "number", "fraction", "string", "character", "operator", "comment", "error"
};

static const char *const keywords[] = { "and", "do", "else", "end", "fn", "if", "let", "not", "or", "return", "while" };

/* Longer ones first: the first that fits is taken. */
static const char *const operators[] = { "<<=", ">>=", "...", "==", "!=", "<=", ">=", "<<", ">>", "->", ":=",
                                         "..",  "+",   "-",   "*",  "/",  "%",  "<",  ">",  "=",  "&",  "|",
                                         "^",   "!",   "(",   ")",  "[",  "]",  ",",  ";",  ":",  "." };

static unsigned char source[MAX_SOURCE + 1];
static int length;
static int at;
static int line = 1;
static int column = 1;

static int keep_comments;
static int count_only;
static int counts[KINDS];

static int peek(int ahead)
{
    return at + ahead < length ? source[at + ahead] : -1;
}

static void advance(void)
{
    if (source[at] == '\n') {
        line++;
        column = 1;
    } else {
        column++;
    }
    at++;
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The value of a digit in a base, or -1. */
static int digit_value(int c, int base)
{
    int value = -1;
    if (is_digit(c))
        value = c - '0';
    else if (c >= 'a' && c <= 'f')
        value = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F')
        value = c - 'A' + 10;
    return value < base ? value : -1;
}

static void print_escaped(int c)
{
    if (c == '\n')
        printf("\\n");
    else if (c < ' ' || c > '~')
        printf("\\x%02x", (unsigned)c);
    else
        putchar(c);
}

/* One token has ended: it is the text between `from` and here. */
static void emit(enum kind kind, int from, int from_line, int from_column)
{
    counts[kind]++;
    if (count_only || (kind == COMMENT && !keep_comments))
        return;
    printf("%d:%d %s ", from_line, from_column, kind_names[kind]);
    for (int i = from; i < at; i++)
        print_escaped(source[i]);
    putchar('\n');
}

static void emit_error(const char *message, int from_line, int from_column)
{
    counts[ERROR]++;
    if (!count_only)
        printf("%d:%d error %s\n", from_line, from_column, message);
}

static void read_word(void)
{
    int from = at;
    int from_column = column;
    int size = 0;
    enum kind kind = WORD;
    while (is_letter(peek(0)) || is_digit(peek(0)))
        advance();
    size = at - from;
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if ((int)strlen(keywords[i]) == size && memcmp(keywords[i], source + from, (size_t)size) == 0)
            kind = KEYWORD;
    }
    emit(kind, from, line, from_column);
}

/* Digits of a base, single `_` between them allowed; -1 if they are wrong, else how many there are. */
static int read_digits(int base, int *value)
{
    int digits = 0;
    int wrong = 0;
    int after_underscore = 1;
    *value = 0;
    while (digit_value(peek(0), base) >= 0 || peek(0) == '_') {
        if (peek(0) == '_') {
            if (after_underscore)
                wrong = 1;
            after_underscore = 1;
        } else {
            digits++;
            after_underscore = 0;
            if (*value < MAX_NUMBER)
                *value = *value * base + digit_value(peek(0), base);
            if (*value > MAX_NUMBER)
                *value = MAX_NUMBER;
        }
        advance();
    }
    return wrong || after_underscore ? -1 : digits;
}

static void read_number(void)
{
    int from = at;
    int from_column = column;
    int base = 10;
    int value = 0;
    int digits = 0;
    enum kind kind = NUMBER;
    if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'b')) {
        base = peek(1) == 'x' ? 16 : 2;
        advance();
        advance();
    }
    digits = read_digits(base, &value);
    if (base == 10 && digits > 0 && peek(0) == '.' && is_digit(peek(1))) {
        int ignored = 0;
        advance();
        kind = FRACTION;
        if (read_digits(10, &ignored) < 0)
            digits = -1;
    }
    if (is_letter(peek(0)) || is_digit(peek(0))) {
        while (is_letter(peek(0)) || is_digit(peek(0)))
            advance();
        digits = -1;
    }
    if (digits < 1)
        emit_error("not a number", line, from_column);
    else if (value >= MAX_NUMBER)
        emit_error("number too large", line, from_column);
    else
        emit(kind, from, line, from_column);
}

/* Behind a `\`: whether that is an escape we know. */
static int read_escape(void)
{
    int c = peek(0);
    if (c == 'x') {
        advance();
        for (int i = 0; i < 2; i++) {
            if (digit_value(peek(0), 16) < 0)
                return 0;
            advance();
        }
        return 1;
    }
    if (c < 0 || c == '\n')
        return 0;
    advance();
    return c == 'n' || c == 't' || c == '0' || c == '\\' || c == '"' || c == '\'';
}

static void read_quoted(int quote)
{
    int from = at;
    int from_column = column;
    int characters = 0;
    int good_escapes = 1;
    advance();
    while (peek(0) != quote) {
        if (peek(0) < 0 || peek(0) == '\n') {
            emit_error(quote == '"' ? "string not closed" : "character not closed", line, from_column);
            return;
        }
        if (peek(0) == '\\') {
            advance();
            if (!read_escape())
                good_escapes = 0;
        } else {
            advance();
        }
        characters++;
    }
    advance();
    if (!good_escapes)
        emit_error("unknown escape", line, from_column);
    else if (quote == '\'' && characters != 1)
        emit_error("not one character", line, from_column);
    else
        emit(quote == '"' ? STRING : CHARACTER, from, line, from_column);
}

static void read_line_comment(void)
{
    int from = at;
    int from_column = column;
    while (peek(0) >= 0 && peek(0) != '\n')
        advance();
    emit(COMMENT, from, line, from_column);
}

static void read_block_comment(void)
{
    int from = at;
    int from_line = line;
    int from_column = column;
    int depth = 0;
    do {
        if (peek(0) < 0) {
            emit_error("comment not closed", from_line, from_column);
            return;
        }
        if (peek(0) == '{' && peek(1) == '-') {
            depth++;
            advance();
        } else if (peek(0) == '-' && peek(1) == '}') {
            depth--;
            advance();
        }
        advance();
    } while (depth > 0);
    emit(COMMENT, from, from_line, from_column);
}

static void read_operator(void)
{
    int from = at;
    int from_column = column;
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        int size = (int)strlen(operators[i]);
        if (at + size <= length && memcmp(operators[i], source + at, (size_t)size) == 0) {
            while (at < from + size)
                advance();
            emit(OPERATOR, from, line, from_column);
            return;
        }
    }
    advance();
    emit_error("unknown sign", line, from_column);
}

static void read_token(void)
{
    int c = peek(0);
    if (is_space(c))
        advance();
    else if (is_letter(c))
        read_word();
    else if (is_digit(c))
        read_number();
    else if (c == '"' || c == '\'')
        read_quoted(c);
    else if (c == '#')
        read_line_comment();
    else if (c == '{' && peek(1) == '-')
        read_block_comment();
    else
        read_operator();
}

static int read_source(void)
{
    int c = getchar();
    while (c != EOF) {
        if (length == MAX_SOURCE)
            return 0;
        source[length++] = (unsigned char)c;
        c = getchar();
    }
    return 1;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-c") == 0) {
            count_only = 1;
        } else if (strcmp(argv[i], "-k") == 0) {
            keep_comments = 1;
        } else {
            fprintf(stderr, "usage: tokenizer [-c] [-k] < source\n");
            return 2;
        }
    }
    if (!read_source()) {
        fprintf(stderr, "tokenizer: more than %d characters\n", MAX_SOURCE);
        return 2;
    }
    while (at < length)
        read_token();
    if (count_only) {
        for (int kind = 0; kind < KINDS; kind++) {
            if (counts[kind] > 0)
                printf("%s %d\n", kind_names[kind], counts[kind]);
        }
    }
    return counts[ERROR] > 0 ? 1 : 0;
}
