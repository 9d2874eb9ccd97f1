// Roman numerals both ways, numbers in words, base conversion from 2 to 36.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { int value; const char *text; } numerals[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
static char *to_roman(int n, char *out) { *out = 0; for (int i = 0; i < 13; i++) while (n >= numerals[i].value) strcat(out, numerals[i].text), n -= numerals[i].value; return out; }
static int from_roman(const char *s) {
    int n = 0;
    for (int i = 0; i < 13; i++) while (!strncmp(s, numerals[i].text, strlen(numerals[i].text))) n += numerals[i].value, s += strlen(numerals[i].text);
    return *s ? -1 : n;
}
static const char *const small[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
static void words(unsigned long n) {
    static const struct { unsigned long value; const char *name; } scale[] = {{1000000000, "billion"}, {1000000, "million"}, {1000, "thousand"}, {100, "hundred"}};
    for (int i = 0; i < 4; i++)
        if (n >= scale[i].value) { words(n / scale[i].value), printf(" %s", scale[i].name), n %= scale[i].value; if (!n) return; putchar(' '); }
    if (n < 20) fputs(small[n], stdout);
    else printf(n % 10 ? "%s-%s" : "%s", tens[n / 10], small[n % 10]);
}
static char *to_base(unsigned long n, unsigned base, char *end) { *--end = 0; do *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[n % base]; while (n /= base); return end; }

int main(void) {
    char text[80];
    int wrong = 0;
    unsigned hash = 0;
    for (int n = 1; n < 4000; n++) { wrong += from_roman(to_roman(n, text)) != n; for (char *p = text; *p; p++) hash = hash * 31 + (unsigned char)*p; }
    printf("%d %u %s %d\n", wrong, hash, to_roman(1994, text), from_roman("MCMX?"));
    static const unsigned long numbers[] = {0, 7, 13, 20, 42, 100, 101, 999, 1000, 1234567, 4000000000};
    for (int i = 0; i < 11; i++) words(numbers[i]), putchar('\n');
    for (unsigned base = 2; base <= 36; base++) {
        char *s = to_base(3735928559u, base, text + sizeof text);
        if (base % 7 == 2) puts(s);
        wrong += strtoul(s, NULL, (int)base) != 3735928559u;
    }
    printf("%d\n", wrong);
    return 0;
}
