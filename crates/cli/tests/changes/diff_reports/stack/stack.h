#ifndef STACK_H
#define STACK_H
#define DEPTH 16
struct stack { int used; int values[DEPTH]; };
static inline int is_full(const struct stack *s) { return s->used == DEPTH; }
static inline void push(struct stack *s, int value)
{
    if (!is_full(s))
        s->values[s->used++] = value;
}
#endif
