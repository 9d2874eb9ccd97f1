/* What somebody wants to buy: articles by number, each with a price in cents and a count. */

#include <stdlib.h>

enum { MOST_COUNT = 99, DISCOUNT_FROM = 10000 };

struct line {
	struct line *next;
	int article, price, count;
};

struct cart {
	struct line *first;
	int lines;
};

struct cart *cart_new(void)
{
	return calloc(1, sizeof(struct cart));
}

static void free_lines(struct cart *cart)
{
	while (cart->first) {
		struct line *line = cart->first;
		cart->first = line->next;
		free(line);
	}
	cart->lines = 0;
}

void cart_free(struct cart *cart)
{
	free_lines(cart);
	free(cart);
}

void cart_clear(struct cart *cart)
{
	free_lines(cart);
}

/* Where the line of an article is, or would be: lines are in the order of their articles. */
static struct line **find(struct cart *cart, int article)
{
	struct line **place = &cart->first;
	while (*place && (*place)->article < article) place = &(*place)->next;
	return place;
}

/* One more of an article; the last price counts for all of it. */
int cart_add(struct cart *cart, int article, unsigned char price)
{
	struct line **place = find(cart, article);
	struct line *line = *place;
	if (line && line->article == article) {
		if (line->count >= MOST_COUNT) return 0;
		line->count++;
		line->price = price;
		return 1;
	}
	line = calloc(1, sizeof(struct line));
	if (!line) return 0;
	line->article = article;
	line->price = price;
	line->count = 1;
	line->next = *place;
	*place = line;
	cart->lines++;
	return 1;
}

/* Another count of an article; none takes it away. */
int cart_set_count(struct cart *cart, int article, int count)
{
	struct line **place = find(cart, article);
	struct line *line = *place;
	if (!line || line->article != article || count < 0 || count > MOST_COUNT) return 0;
	if (count > 0) {
		line->count = count;
		return 1;
	}
	*place = line->next;
	free(line);
	cart->lines--;
	return 1;
}

int cart_count(const struct cart *cart)
{
	int count = 0;
	for (const struct line *line = cart->first; line; line = line->next) count += line->count;
	return count;
}

int cart_lines(const struct cart *cart)
{
	return cart->lines;
}

/* From a certain sum on everything is a tenth cheaper. */
int cart_total(const struct cart *cart)
{
	int total = 0;
	for (const struct line *line = cart->first; line; line = line->next) total += line->price * line->count;
	if (total >= DISCOUNT_FROM) total -= total / 10;
	return total;
}
