/* Work of three kinds, as long as asked for; of standard input, every byte is looked at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned state = 1;

static unsigned next(void) {
  state = state * 1103515245u + 12345u;
  return state >> 16;
}

/* Loops over arrays, and calls. */
static unsigned arrays(int n) {
  static unsigned table[4096];
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned at = next() % 4096;
    table[at] += (unsigned)i;
    if (table[(at + 1) % 4096] > table[at]) sum += table[at];
  }
  return sum;
}

static int by_value(const void *a, const void *b) {
  unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
  return (left > right) - (left < right);
}

static unsigned sorts(int n) {
  unsigned *numbers = malloc((size_t)n * sizeof *numbers);
  for (int i = 0; i < n; i++) numbers[i] = next();
  qsort(numbers, (size_t)n, sizeof *numbers, by_value);
  unsigned middle = numbers[n / 2];
  free(numbers);
  return middle;
}

static unsigned text(int n) {
  unsigned sum = 0;
  char line[64];
  for (int i = 0; i < n; i++) {
    snprintf(line, sizeof line, "%u and %d", next(), i);
    char *rest;
    sum += (unsigned)strtol(line, &rest, 10) + (unsigned)strlen(rest);
  }
  return sum;
}

/* Never called in a measurement. */
static unsigned changed(unsigned value) { return value ^ 1; }

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int n = atoi(argv[2]);
  unsigned char input[64];
  ssize_t length = read(0, input, sizeof input);
  unsigned letters = 0;
  for (ssize_t i = 0; i < length; i++)
    if (input[i] >= 'a' && input[i] <= 'z') letters++;
  unsigned result = 0;
  if (!strcmp(argv[1], "arrays")) result = arrays(n);
  if (!strcmp(argv[1], "sorts")) result = sorts(n);
  if (!strcmp(argv[1], "text")) result = text(n);
  if (letters > 60) result = changed(result);
  printf("%u %u\n", result, letters);
  return 0;
}
