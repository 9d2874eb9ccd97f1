/* A stack of at most CAPACITY different numbers. */

#include <stdlib.h>

enum { CAPACITY = 3 };

struct stack {
	int items[CAPACITY];
	int count;
};

struct stack *stack_new(void)
{
	return calloc(1, sizeof(struct stack));
}

void stack_free(struct stack *stack)
{
	free(stack);
}

static int find(const struct stack *stack, int item)
{
	for (int i = 0; i < stack->count; i++)
		if (stack->items[i] == item) return i;
	return -1;
}

static void close_gap(struct stack *stack, int place)
{
	for (int i = place; i + 1 < stack->count; i++) stack->items[i] = stack->items[i + 1];
	stack->count--;
	stack->items[stack->count] = 0;
}

/* An item that is there already comes to the top. Whether there was room. */
int stack_push(struct stack *stack, int item)
{
	int place = find(stack, item);
	if (place >= 0)
		close_gap(stack, place);
	else if (stack->count == CAPACITY)
		return 0;
	stack->items[stack->count] = item;
	stack->count++;
	return 1;
}

void stack_pop(struct stack *stack)
{
	if (stack->count > 0) close_gap(stack, stack->count - 1);
}

int stack_remove(struct stack *stack, int item)
{
	int place = find(stack, item);
	if (place < 0) return 0;
	close_gap(stack, place);
	return 1;
}

int stack_top(const struct stack *stack, int otherwise)
{
	return stack->count > 0 ? stack->items[stack->count - 1] : otherwise;
}

int stack_count(const struct stack *stack)
{
	return stack->count;
}

int stack_is_full(const struct stack *stack)
{
	return stack->count >= CAPACITY;
}

int stack_contains(const struct stack *stack, int item)
{
	return find(stack, item) >= 0;
}

int stack_equals(const struct stack *stack, const struct stack *other)
{
	if (stack->count != other->count) return 0;
	for (int i = 0; i < stack->count; i++)
		if (stack->items[i] != other->items[i]) return 0;
	return 1;
}
