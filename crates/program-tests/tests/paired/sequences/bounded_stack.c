#include <stdio.h>

enum { ITEMS = 2, ALTERNATIVES = 2 * ITEMS + 1 };

static struct stack *stack;

static void begin(void)
{
	stack = stack_new();
}

static void go_on(int which)
{
	if (which < ITEMS)
		printf("%d ", stack_push(stack, which));
	else if (which < 2 * ITEMS)
		printf("%d ", stack_remove(stack, which - ITEMS));
	else
		stack_pop(stack);
}

static void finish(void)
{
	for (int i = 0; i < CAPACITY; i++) printf("%d ", stack->items[i]);
	printf("%d %d %d %d ", stack->count, stack_count(stack), stack_is_full(stack), stack_top(stack, 7));
	for (int item = 0; item < ITEMS; item++) printf("%d ", stack_contains(stack, item));
}

#include "enumerate.h"
