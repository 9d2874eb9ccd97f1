/* A set of numbers as a binary search tree. */

#include <stdlib.h>

struct node {
	int key;
	struct node *left, *right;
};

struct tree {
	struct node *root;
	int count;
};

struct tree *tree_new(void)
{
	return calloc(1, sizeof(struct tree));
}

static void free_nodes(struct node *node)
{
	if (!node) return;
	free_nodes(node->left);
	free_nodes(node->right);
	free(node);
}

void tree_free(struct tree *tree)
{
	free_nodes(tree->root);
	free(tree);
}

int tree_contains(const struct tree *tree, int key)
{
	const struct node *node = tree->root;
	while (node) {
		if (key == node->key) return 1;
		node = key < node->key ? node->left : node->right;
	}
	return 0;
}

/* Whether the key is new. */
int tree_insert(struct tree *tree, int key)
{
	struct node **place = &tree->root;
	while (*place) {
		if (key == (*place)->key) return 0;
		if (key < (*place)->key)
			place = &(*place)->left;
		else
			place = &(*place)->right;
	}
	*place = calloc(1, sizeof(struct node));
	if (!*place) return 0;
	(*place)->key = key;
	tree->count++;
	return 1;
}

/* Whether the key was there. A node with two children gets the least key on its right. */
int tree_remove(struct tree *tree, int key)
{
	struct node **place = &tree->root;
	while (*place && (*place)->key != key)
		place = key < (*place)->key ? &(*place)->left : &(*place)->right;
	struct node *node = *place;
	if (!node) return 0;
	if (node->left && node->right) {
		struct node **least = &node->right;
		while ((*least)->left) least = &(*least)->left;
		node->key = (*least)->key;
		place = least;
		node = *place;
	}
	*place = node->left ? node->left : node->right;
	free(node);
	tree->count--;
	return 1;
}

int tree_size(const struct tree *tree)
{
	return tree->count;
}

/* The least key, or `otherwise` of an empty set. */
int tree_least(const struct tree *tree, int otherwise)
{
	const struct node *node = tree->root;
	if (!node) return otherwise;
	while (node->left) node = node->left;
	return node->key;
}

static int depth_of(const struct node *node)
{
	if (!node) return 0;
	int left = depth_of(node->left), right = depth_of(node->right);
	return 1 + (left > right ? left : right);
}

int tree_depth(const struct tree *tree)
{
	return depth_of(tree->root);
}
