// Singly and doubly linked lists: reverse, merge sort, splice, cycle detection, Josephus.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
static struct node *cons(int value, struct node *next) { struct node *n = malloc(sizeof *n); n->value = value, n->next = next; return n; }
static struct node *reverse(struct node *l) { struct node *r = NULL; while (l) { struct node *n = l->next; l->next = r, r = l, l = n; } return r; }
static struct node *merge(struct node *a, struct node *b) {
    struct node *head = NULL, **tail = &head;
    while (a && b) { struct node **least = b->value < a->value ? &b : &a; *tail = *least, *least = (*least)->next, tail = &(*tail)->next; }
    *tail = a ? a : b;
    return head;
}
static struct node *sort(struct node *l) {
    if (!l || !l->next) return l;
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) slow = slow->next, fast = fast->next->next;
    struct node *half = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(half));
}
static void print(const struct node *l) { for (; l; l = l->next) printf("%d ", l->value); putchar('\n'); }
static void remove_if(struct node **l, int divisor) {
    while (*l) if ((*l)->value % divisor == 0) { struct node *dead = *l; *l = dead->next; free(dead); } else l = &(*l)->next;
}
static int cycle_length(struct node *l) {
    struct node *slow = l, *fast = l;
    do { if (!fast || !fast->next) return 0; slow = slow->next, fast = fast->next->next; } while (slow != fast);
    int n = 1;
    for (fast = slow->next; fast != slow; fast = fast->next) n++;
    return n;
}

int main(void) {
    struct node *l = NULL;
    unsigned state = 11;
    for (int i = 0; i < 40; i++) state = state * 69069 + 5, l = cons((int)(state >> 20) % 100, l);
    print(l);
    l = reverse(l), print(l);
    l = sort(l), print(l);
    remove_if(&l, 3), print(l);
    printf("%d ", cycle_length(l));
    struct node *last = l, *target = NULL;
    for (int i = 0; last->next; i++, last = last->next) if (i == 4) target = last;
    last->next = target;
    printf("%d\n", cycle_length(l));
    last->next = NULL;
    while (l) { struct node *n = l->next; free(l), l = n; }
    struct node *ring = cons(41, NULL), *tail = ring;
    for (int i = 40; i >= 1; i--) ring = cons(i, ring);
    tail->next = ring;
    for (struct node *p = tail; p->next != p;) {
        p = p->next->next == p ? p : p->next, p = p->next;
        struct node *dead = p->next;
        p->next = dead->next, printf("%d ", dead->value), free(dead), tail = p;
    }
    printf("| %d\n", tail->value);
    free(tail);
    return 0;
}
