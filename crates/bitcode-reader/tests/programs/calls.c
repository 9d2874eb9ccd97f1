/* How values travel: structs in registers and in memory, variable arguments, pointers to functions. */
#include "show.h"

struct tiny { char c; };
struct two { long a; double b; };
struct floats { float x, y, z; };
struct large { long items[9]; char name[13]; };
union either { long number; double real; char bytes[8]; };
struct __attribute__((packed)) odd { char c; int i; short s; };
struct aligned { _Alignas(32) long value; };

static struct tiny next(struct tiny t) { t.c++; return t; }
static struct two twice(struct two t) { t.a *= 2; t.b *= 2; return t; }
static struct floats turn(struct floats f) { return (struct floats){ f.y, f.z, f.x }; }
static struct odd grow(struct odd o) { o.i += o.c; o.s--; return o; }

static struct large change(struct large by_value, int index)
{
	by_value.items[index] += 100;
	by_value.name[index] = '!';
	return by_value;
}

static long aligned_sum(struct aligned a, struct aligned b)
{
	return a.value + b.value + ((unsigned long)&a % 32) + ((unsigned long)&b % 32);
}

static long sum(int count, ...)
{
	__builtin_va_list list, copy;
	long total = 0;
	__builtin_va_start(list, count);
	__builtin_va_copy(copy, list);
	for (int i = 0; i < count; i++) {
		total += __builtin_va_arg(list, int);
		total += (long)__builtin_va_arg(list, double);
		total += __builtin_va_arg(list, struct two).a;
		total += __builtin_va_arg(list, struct large).items[i];
		total += (long)__builtin_va_arg(list, long double);
	}
	total = total * 31 + __builtin_va_arg(copy, int);
	__builtin_va_end(copy);
	__builtin_va_end(list);
	return total;
}

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*operations[])(int, int) = { add, subtract, 0 };

static long seven(long a, long b, long c, long d, long e, long f, long g, double h, struct two t)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + (long)h + t.a;
}

static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

static int labels(int n)
{
	static const void *const targets[] = { &&zero, &&one, &&other };
	int result = 0;
again:
	goto *targets[n > 1 ? 2 : n];
zero:
	return result;
one:
	result += 10;
	n = 0;
	goto again;
other:
	result += n--;
	goto again;
}

static long variable_array(int n)
{
	long total = 0;
	for (int i = 1; i <= n; i++) {
		int items[i];
		for (int j = 0; j < i; j++)
			items[j] = i * j;
		total += items[i - 1] + (long)sizeof items;
	}
	return total;
}

int main(void)
{
	volatile int three = 3;
	struct large large = { { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "hello" };
	struct large changed = change(large, three);
	show_bytes("large", &large, sizeof large);
	show_bytes("changed", &changed, sizeof changed);
	show("tiny", next((struct tiny){ 'a' }).c);
	struct two t = twice((struct two){ three, 1.25 });
	show_bytes("two", &t, sizeof t);
	struct floats f = turn((struct floats){ 1, 2, (float)three });
	show_bytes("floats", &f, sizeof f);
	struct odd o = grow((struct odd){ 5, 100000, three });
	show_bytes("odd", &o, sizeof o);
	show("aligned", aligned_sum((struct aligned){ three }, (struct aligned){ 4 }));
	union either either = { .real = 1.5 };
	show("union", either.number);
	show("sum", sum(2, 1, 2.0, t, large, 3.0L, 4, 5.0, t, changed, 6.0L));
	for (int i = 0; operations[i]; i++)
		show("operation", operations[i](10, three));
	show("seven", seven(1, 2, 3, 4, 5, 6, 7, 8.5, t));
	show("depth", depth(500));
	show("labels", labels(5));
	show("array", variable_array(12));
	/* Called through another type than it has. */
	long (*mistyped)(long, long) = (long (*)(long, long))(void *)add;
	show("mistyped", (int)mistyped(40, 2));
	return three + 39;
}
