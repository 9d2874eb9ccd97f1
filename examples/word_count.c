/* Counts the words of standard input and prints the most frequent ones.
 *
 *   parallax run examples/word_count.c --stdin FILE -- [-n COUNT]
 */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	char *text;
	unsigned long count;
};

static struct word *words;
static size_t used, available;

static void count_word(const char *text)
{
	for (size_t i = 0; i < used; i++) {
		if (strcmp(words[i].text, text) == 0) {
			words[i].count++;
			return;
		}
	}
	if (used == available) {
		available = available ? 2 * available : 8;
		words = realloc(words, available * sizeof *words);
		if (!words) abort();
	}
	words[used].text = strdup(text);
	words[used].count = 1;
	used++;
}

static int by_count(const void *left, const void *right)
{
	const struct word *a = left, *b = right;
	if (a->count != b->count) return a->count < b->count ? 1 : -1;
	return strcmp(a->text, b->text);
}

int main(int argc, char **argv)
{
	unsigned long limit = 10;
	if (argc == 3 && strcmp(argv[1], "-n") == 0) {
		char *end;
		errno = 0;
		limit = strtoul(argv[2], &end, 10);
		if (errno || *end) {
			fprintf(stderr, "word_count: '%s' is not a number\n", argv[2]);
			return 1;
		}
	}
	char text[64];
	size_t length = 0;
	int c;
	do {
		c = getchar();
		if (c != EOF && isalnum(c)) {
			if (length < sizeof text - 1) text[length++] = (char)tolower(c);
		} else if (length) {
			text[length] = 0;
			count_word(text);
			length = 0;
		}
	} while (c != EOF);

	qsort(words, used, sizeof *words, by_count);
	for (size_t i = 0; i < used && i < limit; i++)
		printf("%6lu %s\n", words[i].count, words[i].text);
	for (size_t i = 0; i < used; i++) free(words[i].text);
	free(words);
	return 0;
}
