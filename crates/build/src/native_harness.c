/* The native meaning of parallax_symbolic: the values of one test, from the file that PARALLAX_VARIABLES
 * names, one NAME=HEX per line. What the file does not say is zero, as in the VM. The variable is taken out
 * of the environment before main starts, so that the program sees the test's environment only.
 *
 * Not part of the guest's C library: `parallax replay` links it into native builds. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct used {
	struct used *next;
	unsigned times;
	char name[];
};

static char *values;
static struct used *used_names;

__attribute__((constructor)) static void read_values(void)
{
	int before = errno;
	const char *path = getenv("PARALLAX_VARIABLES");
	FILE *file = path ? fopen(path, "rb") : NULL;
	if (file) {
		fseek(file, 0, SEEK_END);
		long size = ftell(file);
		rewind(file);
		values = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
		if (values && fread(values, 1, (size_t)size, file) != (size_t)size) values[0] = 0;
		fclose(file);
	}
	unsetenv("PARALLAX_VARIABLES");
	errno = before;
}

/* How often this name has been asked for, this time included. */
static unsigned times(const char *name)
{
	struct used *entry = used_names;
	while (entry && strcmp(entry->name, name) != 0) entry = entry->next;
	if (!entry) {
		entry = calloc(1, sizeof *entry + strlen(name) + 1);
		if (!entry) abort();
		strcpy(entry->name, name);
		entry->next = used_names;
		used_names = entry;
	}
	return ++entry->times;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9') return c - '0';
	if (c >= 'a' && c <= 'f') return c - 'a' + 10;
	return -1;
}

void parallax_symbolic(void *pointer, size_t size, const char *name)
{
	int before = errno;
	unsigned number = times(name);
	size_t length = strlen(name) + 16;
	char *wanted = malloc(length);
	if (!wanted) abort();
	if (number == 1) snprintf(wanted, length, "%s=", name);
	else snprintf(wanted, length, "%s#%u=", name, number);

	memset(pointer, 0, size);
	const char *line = values;
	while (line && *line && strncmp(line, wanted, strlen(wanted)) != 0) {
		line = strchr(line, '\n');
		if (line) line++;
	}
	if (line && *line) {
		const char *hex = line + strlen(wanted);
		unsigned char *bytes = pointer;
		for (size_t i = 0; i < size; i++, hex += 2) {
			if (digit(hex[0]) < 0 || digit(hex[1]) < 0) break;
			bytes[i] = (unsigned char)(digit(hex[0]) << 4 | digit(hex[1]));
		}
	}
	free(wanted);
	errno = before;
}
