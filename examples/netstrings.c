/* Reads netstrings such as "3:abc," from standard input and prints each on a line.
 *
 *   parallax run examples/netstrings.c --stdin FILE
 */

#include <ctype.h>
#include <stdio.h>

enum { LONGEST = 4 };

enum result { ITEM, END, BAD };

/* A length in decimal digits, up to its colon; -1 if it is no length. */
static int read_length(int c)
{
	int length = 0;
	if (!isdigit(c)) return -1;
	while (isdigit(c)) {
		length = 10 * length + (c - '0');
		if (length > LONGEST) return -1;
		c = getchar();
	}
	return c == ':' ? length : -1;
}

/* The item after its length, with the comma that ends it. */
static enum result read_text(char *text, int length)
{
	for (int i = 0; i < length; i++) {
		int c = getchar();
		if (c == EOF) return BAD;
		text[i] = (char)c;
	}
	if (getchar() != ',') return BAD;
	text[length] = '\0';
	return ITEM;
}

static enum result read_item(char *text)
{
	int c = getchar();
	while (c == '\n') c = getchar();
	if (c == EOF) return END;
	int length = read_length(c);
	if (length < 0) return BAD;
	return read_text(text, length);
}

int main(void)
{
	char text[LONGEST];
	int number = 0;
	enum result result;
	while ((result = read_item(text)) == ITEM)
		printf("%d: %s\n", ++number, text);
	if (result == BAD) {
		fprintf(stderr, "netstrings: item %d is not a netstring\n", number + 1);
		return 1;
	}
	return 0;
}
