/* What an order costs: discount NUMBER [CODE]. A code takes something off the price. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int price(int number)
{
	int each = 12;
	if (number > 10) each = 9;
	return number * each;
}

static int reduced(int price, const char *code)
{
	if (strcmp(code, "HI") == 0) return price - 5;
	if (code[0] == '-') return price - price * 2 / 10;
	return price;
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
