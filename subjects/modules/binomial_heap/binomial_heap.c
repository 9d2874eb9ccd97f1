/* A binomial heap of numbers: trees of different orders, the smaller ones first. */

#include <stdlib.h>

struct node {
	int key, order;
	struct node *child, *sibling, *parent;
};

struct heap {
	struct node *first;
	int count;
};

struct heap *heap_new(void)
{
	return calloc(1, sizeof(struct heap));
}

static void free_nodes(struct node *node)
{
	while (node) {
		struct node *next = node->sibling;
		free_nodes(node->child);
		free(node);
		node = next;
	}
}

void heap_free(struct heap *heap)
{
	free_nodes(heap->first);
	free(heap);
}

/* All trees of two lists in one, by their orders. */
static struct node *merge(struct node *one, struct node *other)
{
	struct node *first = NULL, **end = &first;
	while (one && other) {
		struct node **less = one->order <= other->order ? &one : &other;
		*end = *less;
		end = &(*less)->sibling;
		*less = (*less)->sibling;
	}
	*end = one ? one : other;
	return first;
}

/* Of two trees of one order, makes `child` a part of `parent`. */
static void link_trees(struct node *parent, struct node *child)
{
	child->parent = parent;
	child->sibling = parent->child;
	parent->child = child;
	parent->order++;
}

/* The list in which no two trees have the same order. */
static struct node *unite(struct node *one, struct node *other)
{
	struct node *first = merge(one, other);
	if (!first) return NULL;
	struct node *before = NULL, *node = first, *next = node->sibling;
	while (next) {
		int is_third = next->sibling && next->sibling->order == node->order;
		if (node->order != next->order || is_third) {
			before = node;
			node = next;
		} else if (node->key <= next->key) {
			node->sibling = next->sibling;
			link_trees(node, next);
		} else {
			if (before)
				before->sibling = next;
			else
				first = next;
			link_trees(next, node);
			node = next;
		}
		next = node->sibling;
	}
	return first;
}

int heap_insert(struct heap *heap, int key)
{
	struct node *node = calloc(1, sizeof(struct node));
	if (!node) return 0;
	node->key = key;
	heap->first = unite(heap->first, node);
	heap->count++;
	return 1;
}

static struct node *least(const struct heap *heap)
{
	struct node *found = heap->first;
	for (struct node *node = heap->first; node; node = node->sibling)
		if (node->key < found->key) found = node;
	return found;
}

/* Takes a tree out of the list of roots, and puts its children there. */
static void take_out(struct heap *heap, struct node *root)
{
	struct node **place = &heap->first;
	while (*place != root) place = &(*place)->sibling;
	*place = root->sibling;
	struct node *children = NULL;
	while (root->child) {
		struct node *child = root->child;
		root->child = child->sibling;
		child->sibling = children;
		child->parent = NULL;
		children = child;
	}
	free(root);
	heap->first = unite(heap->first, children);
	heap->count--;
}

/* Takes the least key; `otherwise` if there is none. */
int heap_take_least(struct heap *heap, int otherwise)
{
	struct node *root = least(heap);
	if (!root) return otherwise;
	int key = root->key;
	take_out(heap, root);
	return key;
}

static struct node *find(struct node *node, int key)
{
	for (; node; node = node->sibling) {
		if (node->key == key) return node;
		struct node *below = node->key < key ? find(node->child, key) : NULL;
		if (below) return below;
	}
	return NULL;
}

/* Makes a key smaller. Whether it was there, and is not smaller already. */
int heap_decrease(struct heap *heap, int key, int smaller)
{
	struct node *node = smaller <= key ? find(heap->first, key) : NULL;
	if (!node) return 0;
	node->key = smaller;
	while (node->parent && node->key < node->parent->key) {
		int swapped = node->key;
		node->key = node->parent->key;
		node->parent->key = swapped;
		node = node->parent;
	}
	return 1;
}

int heap_count(const struct heap *heap)
{
	return heap->count;
}

int heap_least(const struct heap *heap, int otherwise)
{
	const struct node *root = least(heap);
	return root ? root->key : otherwise;
}

int heap_trees(const struct heap *heap)
{
	int trees = 0;
	for (const struct node *node = heap->first; node; node = node->sibling) trees++;
	return trees;
}
