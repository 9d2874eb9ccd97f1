/* qsort as a merge sort. The host's is one, too: elements that compare equal keep their order there, and
 * programs come to rely on it, so the VM must not reorder them. */

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

typedef int compare_function(const void *, const void *, void *);

static void sort(char *base, size_t count, size_t size, compare_function *compare, void *argument, char *scratch)
{
	if (count < 2) return;
	size_t left_count = count / 2, right_count = count - left_count;
	char *left = base, *right = base + left_count * size;
	sort(left, left_count, size, compare, argument, scratch);
	sort(right, right_count, size, compare, argument, scratch);

	char *merged = scratch;
	while (left_count && right_count) {
		if (compare(left, right, argument) <= 0) {
			memcpy(merged, left, size);
			left += size;
			left_count--;
		} else {
			memcpy(merged, right, size);
			right += size;
			right_count--;
		}
		merged += size;
	}
	if (left_count) memcpy(merged, left, left_count * size);
	memcpy(base, scratch, (count - right_count) * size);
}

void qsort_r(void *base, size_t count, size_t size, compare_function *compare, void *argument)
{
	if (count < 2 || !size) return;
	char *scratch = malloc(count * size);
	if (!scratch) abort();
	sort(base, count, size, compare, argument, scratch);
	free(scratch);
}

static int without_argument(const void *left, const void *right, void *compare)
{
	return ((int (*)(const void *, const void *))compare)(left, right);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	qsort_r(base, count, size, without_argument, (void *)compare);
}
