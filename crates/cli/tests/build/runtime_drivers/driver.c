/* Compares functions of runtime/ with the host's own. The runtime files are included with their names
 * changed, so both versions live in one program. Prints each difference; status 1 if there is any. */

#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <locale.h>

static int differences;

static void expect(int same, const char *what, int where)
{
	if (same) return;
	printf("%s differs at %d\n", what, where);
	differences = 1;
}

#define weak_alias(old, new)
#define hidden

#define rand our_rand
#define srand our_srand
#define rand_r our_rand_r
#define random our_random
#define srandom our_srandom
#define initstate our_initstate
#define setstate our_setstate
#include "random.c"
#undef rand
#undef srand
#undef rand_r
#undef random
#undef srandom
#undef initstate
#undef setstate

#define qsort our_qsort
#define qsort_r our_qsort_r
#include "qsort.c"
#undef qsort
#undef qsort_r

#define strerror our_strerror
#define strsignal our_strsignal
#define __assert_fail our_assert_fail
#define __progname program_invocation_short_name
#define CURRENT_LOCALE 0
#include "messages.c"
#undef strerror
#undef strsignal

static void compare_random(void)
{
	for (int i = 0; i < 100; i++) expect(random() == our_random(), "unseeded random", i);
	static const unsigned seeds[] = { 0, 1, 2, 42, 123456789, 0x7fffffff, 0x80000000, 0xffffffff };
	for (int s = 0; s < 8; s++) {
		srand(seeds[s]);
		our_srand(seeds[s]);
		for (int i = 0; i < 1000; i++) expect(rand() == our_rand(), "rand", i);
		unsigned host = seeds[s], ours = seeds[s];
		for (int i = 0; i < 1000; i++) expect(rand_r(&host) == our_rand_r(&ours), "rand_r", i);
	}
	static char host_state[5][256] __attribute__((aligned(8))), our_state[5][256] __attribute__((aligned(8)));
	static const size_t sizes[] = { 8, 32, 64, 128, 256 };
	for (int s = 0; s < 5; s++) {
		initstate(7, host_state[s], sizes[s]);
		our_initstate(7, our_state[s], sizes[s]);
		for (int i = 0; i < 50; i++) expect(random() == our_random(), "random after initstate", i);
	}
	for (int s = 0; s < 5; s++) {
		setstate(host_state[s]);
		our_setstate(our_state[s]);
		for (int i = 0; i < 50; i++) expect(random() == our_random(), "random after setstate", 100 * s + i);
	}
}

struct element {
	int key, place;
};

static int by_key(const void *left, const void *right)
{
	const struct element *a = left, *b = right;
	return (a->key > b->key) - (a->key < b->key);
}

static void compare_qsort(void)
{
	enum { most = 200 };
	struct element host[most], ours[most];
	for (int count = 0; count < most; count++) {
		for (int i = 0; i < count; i++) host[i] = ours[i] = (struct element){ rand() % 10, i };
		qsort(host, count, sizeof *host, by_key);
		our_qsort(ours, count, sizeof *ours, by_key);
		expect(!memcmp(host, ours, count * sizeof *host), "qsort", count);
	}
}

static void compare_messages(void)
{
	for (int i = -1; i < 140; i++) expect(!strcmp(strerror(i), our_strerror(i)), "strerror", i);
	for (int i = 0; i < 66; i++) expect(!strcmp(strsignal(i), our_strsignal(i)), "strsignal", i);
}

int main(void)
{
	compare_random();
	compare_qsort();
	compare_messages();
	return differences;
}
