#include <stdlib.h>

struct stack {
	int *items, count, capacity;
};

struct stack *stack_new(int capacity)
{
	if (capacity < 1 || capacity > 3) return NULL;
	struct stack *stack = malloc(sizeof *stack);
	*stack = (struct stack){.items = calloc(capacity, sizeof(int)), .capacity = capacity};
	return stack;
}

int stack_push(struct stack *stack, int item)
{
	if (stack->count == stack->capacity) return 0;
	stack->items[stack->count++] = item;
	return 1;
}

int stack_pop(struct stack *stack)
{
	if (stack->count == 0) return -1;
	int item = stack->items[--stack->count];
	stack->items[stack->count] = 0;
	return item;
}

int stack_count(const struct stack *stack)
{
	return stack->count;
}

void stack_free(struct stack *stack)
{
	free(stack->items);
	free(stack);
}
