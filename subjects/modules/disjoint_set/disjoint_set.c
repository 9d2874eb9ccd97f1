/* Sets without common elements, of the numbers below SIZE: a forest with union by rank and path compression. */

#include <stdlib.h>

enum { SIZE = 4 };

struct sets {
	unsigned char parent[SIZE], rank[SIZE];
	int count;
};

struct sets *sets_new(void)
{
	struct sets *sets = calloc(1, sizeof(struct sets));
	if (!sets) return NULL;
	for (int i = 0; i < SIZE; i++) sets->parent[i] = (unsigned char)i;
	sets->count = SIZE;
	return sets;
}

void sets_free(struct sets *sets)
{
	free(sets);
}

static int is_element(unsigned char element)
{
	return element < SIZE;
}

static unsigned char root_of(const struct sets *sets, unsigned char element)
{
	while (sets->parent[element] != element) element = sets->parent[element];
	return element;
}

/* All on the way to the root point to it from now on. */
static unsigned char compress(struct sets *sets, unsigned char element)
{
	unsigned char root = root_of(sets, element);
	while (sets->parent[element] != root) {
		unsigned char next = sets->parent[element];
		sets->parent[element] = root;
		element = next;
	}
	return root;
}

/* The element that stands for the set of another one; -1 if there is none. */
int sets_find(struct sets *sets, unsigned char element)
{
	if (!is_element(element)) return -1;
	return compress(sets, element);
}

/* Whether two sets became one. */
int sets_union(struct sets *sets, unsigned char one, unsigned char other)
{
	if (!is_element(one) || !is_element(other)) return 0;
	one = compress(sets, one);
	other = compress(sets, other);
	if (one == other) return 0;
	if (sets->rank[one] < sets->rank[other]) {
		unsigned char swapped = one;
		one = other;
		other = swapped;
	}
	sets->parent[other] = one;
	if (sets->rank[one] == sets->rank[other]) sets->rank[one]++;
	sets->count--;
	return 1;
}

int sets_count(const struct sets *sets)
{
	return sets->count;
}

int sets_are_together(const struct sets *sets, unsigned char one, unsigned char other)
{
	if (!is_element(one) || !is_element(other)) return 0;
	return root_of(sets, one) == root_of(sets, other);
}

int sets_all_together(const struct sets *sets)
{
	for (unsigned char i = 1; i < SIZE; i++)
		if (root_of(sets, i) != root_of(sets, 0)) return 0;
	return 1;
}

int sets_all_apart(const struct sets *sets)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = i + 1; j < SIZE; j++)
			if (root_of(sets, (unsigned char)i) == root_of(sets, (unsigned char)j)) return 0;
	return 1;
}
