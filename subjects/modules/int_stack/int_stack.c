/* A stack of numbers that grows as needed. */

#include <stdlib.h>

enum { FIRST_CAPACITY = 2 };

struct stack {
	int *items;
	int count, capacity;
};

struct stack *stack_new(void)
{
	struct stack *stack = calloc(1, sizeof(struct stack));
	if (!stack) return NULL;
	stack->items = calloc(FIRST_CAPACITY, sizeof(int));
	stack->capacity = FIRST_CAPACITY;
	return stack;
}

void stack_free(struct stack *stack)
{
	free(stack->items);
	free(stack);
}

/* Makes room for twice as many items. */
static int grow(struct stack *stack)
{
	int capacity = stack->capacity * 2;
	int *items = calloc((size_t)capacity, sizeof(int));
	if (!items) return 0;
	for (int i = 0; i < stack->count; i++) items[i] = stack->items[i];
	free(stack->items);
	stack->items = items;
	stack->capacity = capacity;
	return 1;
}

int stack_push(struct stack *stack, int item)
{
	if (stack->count == stack->capacity && !grow(stack)) return 0;
	stack->items[stack->count++] = item;
	return 1;
}

/* The item that was pushed last, which is taken away; `otherwise` if there is none. */
int stack_pop(struct stack *stack, int otherwise)
{
	if (stack->count == 0) return otherwise;
	stack->count--;
	int item = stack->items[stack->count];
	stack->items[stack->count] = 0;
	return item;
}

int stack_top(const struct stack *stack, int otherwise)
{
	if (stack->count == 0) return otherwise;
	return stack->items[stack->count - 1];
}

int stack_count(const struct stack *stack)
{
	return stack->count;
}

int stack_is_empty(const struct stack *stack)
{
	return stack->count == 0;
}

/* How far from the top an item is, or -1. */
int stack_search(const struct stack *stack, int item)
{
	for (int i = stack->count - 1; i >= 0; i--)
		if (stack->items[i] == item) return stack->count - 1 - i;
	return -1;
}
