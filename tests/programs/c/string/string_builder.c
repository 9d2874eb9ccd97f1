// Text assembled and reformatted by hand: word wrap, justification, Caesar, run lengths.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void wrap(const char *text, int width) {
    char line[100];
    int length = 0;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (length && length + 1 + n > width) printf("%-*.*s|\n", width, length, line), length = 0;
        if (length) line[length++] = ' ';
        memcpy(line + length, text, (size_t)n), length += n;
        text += n, text += strspn(text, " ");
    }
    printf("%*.*s|\n", width, length, line);
}
static void caesar(char *text, int shift) {
    for (; *text; text++)
        if (isalpha((unsigned char)*text)) {
            int base = isupper((unsigned char)*text) ? 'A' : 'a';
            *text = (char)((*text - base + shift + 26) % 26 + base);
        }
}
static void run_lengths(const char *text, char *out) {
    while (*text) {
        size_t n = strspn(text, (char[]){*text, 0});
        out += n > 1 ? sprintf(out, "%zu%c", n, *text) : sprintf(out, "%c", *text);
        text += n;
    }
    *out = 0;
}
static int palindrome(const char *s) {
    const char *e = s + strlen(s);
    while (s < e) {
        if (!isalnum((unsigned char)*s)) s++;
        else if (!isalnum((unsigned char)e[-1])) e--;
        else if (tolower((unsigned char)*s++) != tolower((unsigned char)*--e)) return 0;
    }
    return 1;
}

int main(void) {
    wrap("It was the best of times, it was the worst of times, it was the age of   wisdom", 24);
    char secret[] = "Attack at dawn, Zed!";
    caesar(secret, 3), puts(secret);
    caesar(secret, -3), puts(secret);
    char packed[64];
    run_lengths("aaabccddddde", packed), puts(packed);
    run_lengths("", packed), printf("%zu\n", strlen(packed));
    printf("%d %d %d\n", palindrome("A man, a plan, a canal: Panama"), palindrome("almost tsomla!x"), palindrome(""));
    return 0;
}
