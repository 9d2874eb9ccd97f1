#include <stdio.h>

enum { KEYS = 3, ALTERNATIVES = 2 * KEYS };

static struct tree *tree;

static void begin(void)
{
	tree = tree_new();
}

static void go_on(int which)
{
	if (which < KEYS)
		printf("%d ", tree_insert(tree, which));
	else
		printf("%d ", tree_remove(tree, which - KEYS));
}

static void dump(const struct node *node)
{
	if (!node) {
		printf(". ");
		return;
	}
	printf("(%d ", node->key);
	dump(node->left);
	dump(node->right);
	printf(")");
}

static void finish(void)
{
	dump(tree->root);
	printf("%d %d %d %d ", tree->count, tree_size(tree), tree_least(tree, 7), tree_depth(tree));
	for (int key = 0; key < KEYS; key++) printf("%d ", tree_contains(tree, key));
}

#include "enumerate.h"
