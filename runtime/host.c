/* Functions and variables of the host's libc that musl has not, but that a project configured on the host
 * may use. Their declarations are in runtime/host/. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "syscall.h"

void *rawmemchr(const void *memory, int byte)
{
	const unsigned char *p = memory;
	while (*p != (unsigned char)byte) p++;
	return (void *)p;
}

char *canonicalize_file_name(const char *name)
{
	return realpath(name, 0);
}

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned flags)
{
	return syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, flags);
}

int fcloseall(void)
{
	return fflush(0);
}

/* error(3) */

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void print_message(int status, int number, const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	if (number) fprintf(stderr, ": %s", strerror(number));
	fputc('\n', stderr);
	fflush(stderr);
	error_message_count++;
	if (status) exit(status);
}

static void print_program_name(const char *separator)
{
	fflush(stdout);
	if (error_print_progname) error_print_progname();
	else fprintf(stderr, "%s:%s", program_invocation_name, separator);
}

void error(int status, int number, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_program_name(" ");
	print_message(status, number, format, arguments);
	va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
	static const char *last_file;
	static unsigned last_line;
	if (error_one_per_line) {
		if (last_line == line && last_file && file && !strcmp(last_file, file)) return;
		last_file = file;
		last_line = line;
	}
	va_list arguments;
	va_start(arguments, format);
	print_program_name("");
	if (file) fprintf(stderr, "%s:%u: ", file, line);
	else fputc(' ', stderr);
	print_message(status, number, format, arguments);
	va_end(arguments);
}

/* One thread, and a processor with the x86-64 baseline: what <sys/single_threaded.h> and the compiler's
 * __builtin_cpu_supports read. */

char __libc_single_threaded = 1;

struct { unsigned vendor, type, subtype, features; } __cpu_model;
unsigned __cpu_features2[3];

int __cpu_indicator_init(void)
{
	return 0;
}
