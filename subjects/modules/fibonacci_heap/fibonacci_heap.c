/* A Fibonacci heap of numbers: trees in rings, put in order only when the least key is taken. */

#include <stdlib.h>

enum { MOST_ORDER = 8 };

struct node {
	int key, order, is_marked;
	struct node *parent, *child, *left, *right;
};

struct heap {
	struct node *least;
	int count;
};

struct heap *heap_new(void)
{
	return calloc(1, sizeof(struct heap));
}

static void free_ring(struct node *ring)
{
	if (!ring) return;
	ring->left->right = NULL;
	while (ring) {
		struct node *next = ring->right;
		free_ring(ring->child);
		free(ring);
		ring = next;
	}
}

void heap_free(struct heap *heap)
{
	free_ring(heap->least);
	free(heap);
}

/* Puts a node alone into a ring, right of what is there. */
static struct node *put_into(struct node *ring, struct node *node)
{
	if (!ring) {
		node->left = node->right = node;
		return node;
	}
	node->left = ring;
	node->right = ring->right;
	ring->right->left = node;
	ring->right = node;
	return ring;
}

/* Takes a node out of its ring: what is left of that. */
static struct node *take_from(struct node *node)
{
	if (node->right == node) return NULL;
	node->left->right = node->right;
	node->right->left = node->left;
	return node->right;
}

static void add_root(struct heap *heap, struct node *node)
{
	node->parent = NULL;
	heap->least = put_into(heap->least, node);
	if (node->key < heap->least->key) heap->least = node;
}

int heap_insert(struct heap *heap, int key)
{
	struct node *node = calloc(1, sizeof(struct node));
	if (!node) return 0;
	node->key = key;
	add_root(heap, node);
	heap->count++;
	return 1;
}

static struct node *join(struct node *one, struct node *other)
{
	if (other->key < one->key) {
		struct node *swapped = one;
		one = other;
		other = swapped;
	}
	other->parent = one;
	other->is_marked = 0;
	one->child = put_into(one->child, other);
	one->order++;
	return one;
}

/* Joins trees until no two have the same order. */
static void consolidate(struct heap *heap)
{
	struct node *by_order[MOST_ORDER] = {NULL};
	while (heap->least) {
		struct node *tree = heap->least;
		heap->least = take_from(tree);
		while (by_order[tree->order]) {
			struct node *other = by_order[tree->order];
			by_order[tree->order] = NULL;
			tree = join(tree, other);
		}
		by_order[tree->order] = tree;
	}
	for (int order = 0; order < MOST_ORDER; order++)
		if (by_order[order]) add_root(heap, by_order[order]);
}

/* Takes the least key; `otherwise` if there is none. */
int heap_take_least(struct heap *heap, int otherwise)
{
	struct node *node = heap->least;
	if (!node) return otherwise;
	int key = node->key;
	while (node->child) {
		struct node *child = node->child;
		node->child = take_from(child);
		child->is_marked = 0;
		add_root(heap, child);
	}
	heap->least = take_from(node);
	free(node);
	heap->count--;
	consolidate(heap);
	return key;
}

static struct node *find(struct node *ring, int key)
{
	struct node *node = ring;
	while (node) {
		if (node->key == key) return node;
		struct node *below = find(node->child, key);
		if (below) return below;
		node = node->right == ring ? NULL : node->right;
	}
	return NULL;
}

/* Makes a node a root; a parent that loses its second child becomes one too. */
static void cut(struct heap *heap, struct node *node)
{
	struct node *parent = node->parent;
	if (!parent) return;
	parent->child = take_from(node);
	parent->order--;
	node->is_marked = 0;
	add_root(heap, node);
	if (!parent->parent) return;
	if (parent->is_marked)
		cut(heap, parent);
	else
		parent->is_marked = 1;
}

/* Makes a key smaller. Whether it was there, and is not smaller already. */
int heap_decrease(struct heap *heap, int key, int smaller)
{
	struct node *node = smaller <= key ? find(heap->least, key) : NULL;
	if (!node) return 0;
	node->key = smaller;
	if (node->parent && node->key < node->parent->key)
		cut(heap, node);
	else if (!node->parent && node->key < heap->least->key)
		heap->least = node;
	return 1;
}

int heap_count(const struct heap *heap)
{
	return heap->count;
}

int heap_least(const struct heap *heap, int otherwise)
{
	return heap->least ? heap->least->key : otherwise;
}

int heap_is_empty(const struct heap *heap)
{
	return heap->least == NULL;
}
