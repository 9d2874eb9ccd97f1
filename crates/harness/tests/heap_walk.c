/* Pairs of random heaps, with sharing and cycles: the walk must tell exactly those apart that are not isomorphic. What is
 * isomorphic is found by trying all maps between the nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 5, LINKS = 2 };

struct node {
	int value;
	struct node *links[LINKS];
};

void parallax_known(const char *const *, const void *const *, size_t);
void parallax_observe(const char *, const void *, size_t);
void parallax_see(const char *, const void *, void (*)(const char *, const unsigned char *, const unsigned char *), size_t, int, int);
void parallax_forget(void);

static void each(const char *file, const unsigned char *at, const unsigned char *end)
{
	(void)end;
	const struct node *node = (const struct node *)at;
	parallax_observe(file, &node->value, sizeof node->value);
	for (int i = 0; i < LINKS; i++) parallax_see(file, node->links[i], each, sizeof *node, 0, 0);
}

/* A heap as a table: -1 is NULL. The first node is the root. */
struct heap {
	int count, values[MOST], links[MOST][LINKS];
};

static unsigned state;

static int below(int bound)
{
	state = state * 1664525u + 1013904223u;
	return (int)((state >> 16) % (unsigned)bound);
}

static struct heap random_heap(void)
{
	struct heap heap = {.count = 1 + below(MOST)};
	for (int i = 0; i < heap.count; i++) {
		heap.values[i] = below(2);
		for (int k = 0; k < LINKS; k++) heap.links[i][k] = below(heap.count + 1) - 1;
	}
	return heap;
}

/* The same nodes in another order, with one link changed now and then. */
static struct heap varied(const struct heap *from)
{
	int place[MOST] = {0, 1, 2, 3, 4};
	for (int i = from->count - 1; i > 1; i--) {
		int other = 1 + below(i), kept = place[i];
		place[i] = place[other];
		place[other] = kept;
	}
	struct heap heap = {.count = from->count};
	for (int i = 0; i < from->count; i++) {
		heap.values[place[i]] = from->values[i];
		for (int k = 0; k < LINKS; k++)
			heap.links[place[i]][k] = from->links[i][k] < 0 ? -1 : place[from->links[i][k]];
	}
	if (below(2)) heap.links[below(heap.count)][below(LINKS)] = below(heap.count + 1) - 1;
	return heap;
}

static void reach(const struct heap *heap, int node, int *is_reached)
{
	if (node < 0 || is_reached[node]) return;
	is_reached[node] = 1;
	for (int k = 0; k < LINKS; k++) reach(heap, heap->links[node][k], is_reached);
}

static int maps(const struct heap *one, const struct heap *other, const int *is_reached, const int *to)
{
	for (int i = 0; i < one->count; i++) {
		if (!is_reached[i]) continue;
		if (one->values[i] != other->values[to[i]]) return 0;
		for (int k = 0; k < LINKS; k++) {
			int target = one->links[i][k], there = other->links[to[i]][k];
			if (target < 0 ? there >= 0 : there != to[target]) return 0;
		}
	}
	return 1;
}

/* All injective maps of what is reached here to what is reached there. */
static int any_map(const struct heap *one, const struct heap *other, const int *here, const int *there, int *to, int *taken, int at)
{
	if (at == one->count) return maps(one, other, here, to);
	if (!here[at]) return any_map(one, other, here, there, to, taken, at + 1);
	for (int i = 0; i < other->count; i++) {
		if (!there[i] || taken[i] || (at == 0) != (i == 0)) continue;
		taken[i] = 1;
		to[at] = i;
		if (any_map(one, other, here, there, to, taken, at + 1)) return 1;
		taken[i] = 0;
	}
	return 0;
}

static int isomorphic(const struct heap *one, const struct heap *other)
{
	int here[MOST] = {0}, there[MOST] = {0}, to[MOST] = {0}, taken[MOST] = {0}, count = 0;
	reach(one, 0, here);
	reach(other, 0, there);
	for (int i = 0; i < MOST; i++) count += here[i] - there[i];
	return count == 0 && any_map(one, other, here, there, to, taken, 0);
}

static size_t walk(const struct heap *heap, char *written, size_t size)
{
	struct node *nodes[MOST];
	/* Addresses come in another order than nodes. */
	int first = below(heap->count);
	for (int i = 0; i < heap->count; i++) nodes[(first + i) % heap->count] = calloc(1, sizeof(struct node));
	for (int i = 0; i < heap->count; i++) {
		nodes[i]->value = heap->values[i];
		for (int k = 0; k < LINKS; k++) nodes[i]->links[k] = heap->links[i][k] < 0 ? NULL : nodes[heap->links[i][k]];
	}
	unlink("walk");
	parallax_forget();
	parallax_see("walk", nodes[0], each, sizeof(struct node), 0, 0);
	FILE *file = fopen("walk", "rb");
	size_t length = fread(written, 1, size, file);
	fclose(file);
	for (int i = 0; i < heap->count; i++) free(nodes[i]);
	return length;
}

int main(void)
{
	static const char *const none[] = {NULL};
	static char one[1 << 16], other[1 << 16];
	int same = 0, different = 0;
	parallax_known(none, NULL, 0);
	for (unsigned seed = 0; seed < 3000; seed++) {
		state = seed;
		struct heap here = random_heap();
		struct heap there = below(4) ? varied(&here) : random_heap();
		size_t length = walk(&here, one, sizeof one);
		int equal = length == walk(&there, other, sizeof other) && memcmp(one, other, length) == 0;
		if (equal != isomorphic(&here, &there)) {
			printf("seed %u: the walks are %s\n", seed, equal ? "equal" : "different");
			return 1;
		}
		same += equal;
		different += !equal;
	}
	printf("%d isomorphic, %d not\n", same, different);
	return same < 500 || different < 500;
}
