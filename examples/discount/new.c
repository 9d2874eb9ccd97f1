/* What an order costs: discount NUMBER [CODE]. A code takes something off the price. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SINGLE = 12, BULK = 9, BULK_FROM = 10 };

static int price(int number)
{
	int each = number >= BULK_FROM ? BULK : SINGLE;
	return each * number;
}

static int reduced(int price, const char *code)
{
	switch (code[0]) {
	case '-': return price - price / 5;
	case 'H': return strcmp(code, "HI") ? price : price - 5;
	default: return price;
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: discount NUMBER [CODE]\n");
		return 2;
	}
	int cost = price(atoi(argv[1]));
	if (argc > 2) cost = reduced(cost, argv[2]);
	printf("%d\n", cost);
	return 0;
}
