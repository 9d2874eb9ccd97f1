/* rand and random with the host's sequences, so that a program that prints what it drew prints the same
 * in the VM and natively. The generator is the additive one, x[i] = x[i-3] + x[i-31], seeded by a
 * minimal-standard congruential generator and run in; smaller states use other pairs of distances. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct shape {
	size_t bytes; /* smallest caller-given state of this shape */
	int degree, separation;
};

static const struct shape shapes[] = { { 8, 0, 0 }, { 32, 7, 3 }, { 64, 15, 1 }, { 128, 31, 3 }, { 256, 63, 1 } };

enum { shape_count = 5, default_shape = 3 };

/* words[0] remembers shape and position while the state is not in use; the numbers follow. */
static uint32_t default_words[32];
static uint32_t *words = default_words;
static int shape = default_shape, front, rear;
static int seeded;

static long draw(void)
{
	uint32_t *numbers = words + 1;
	int degree = shapes[shape].degree;
	if (!degree) {
		numbers[0] = (numbers[0] * 1103515245u + 12345u) & 0x7fffffff;
		return numbers[0];
	}
	uint32_t sum = numbers[front] += numbers[rear];
	front = front + 1 == degree ? 0 : front + 1;
	rear = rear + 1 == degree ? 0 : rear + 1;
	return sum >> 1;
}

static void seed_state(unsigned seed)
{
	uint32_t *numbers = words + 1;
	int degree = shapes[shape].degree;
	numbers[0] = seed ? seed : 1;
	seeded = 1;
	if (!degree) return;
	int32_t number = (int32_t)numbers[0];
	for (int i = 1; i < degree; i++) {
		/* 16807 * number modulo 2^31 - 1, without overflow */
		number = 16807 * (number % 127773) - 2836 * (number / 127773);
		if (number < 0) number += 2147483647;
		numbers[i] = (uint32_t)number;
	}
	front = shapes[shape].separation;
	rear = 0;
	for (int i = 0; i < 10 * degree; i++) draw();
}

static void remember(void)
{
	words[0] = (uint32_t)(shape_count * rear + shape);
}

void srandom(unsigned seed)
{
	seed_state(seed);
}

long random(void)
{
	if (!seeded) seed_state(1);
	return draw();
}

void srand(unsigned seed)
{
	seed_state(seed);
}

int rand(void)
{
	return (int)random();
}

char *initstate(unsigned seed, char *state, size_t size)
{
	if (size < shapes[0].bytes) {
		errno = EINVAL;
		return 0;
	}
	if (!seeded) seed_state(1);
	remember();
	char *old = (char *)words;
	shape = 0;
	while (shape + 1 < shape_count && size >= shapes[shape + 1].bytes) shape++;
	words = (uint32_t *)state;
	seed_state(seed);
	remember();
	return old;
}

char *setstate(char *state)
{
	if (!seeded) seed_state(1);
	remember();
	char *old = (char *)words;
	words = (uint32_t *)state;
	shape = (int)(words[0] % shape_count);
	rear = (int)(words[0] / shape_count);
	if (shapes[shape].degree) front = (rear + shapes[shape].separation) % shapes[shape].degree;
	return old;
}

int rand_r(unsigned *seed)
{
	unsigned next = *seed, result = 0;
	static const struct { unsigned modulus, shift; } steps[] = { { 2048, 0 }, { 1024, 10 }, { 1024, 10 } };
	for (int i = 0; i < 3; i++) {
		next = next * 1103515245u + 12345u;
		result = result << steps[i].shift ^ next / 65536 % steps[i].modulus;
	}
	*seed = next;
	return (int)result;
}
