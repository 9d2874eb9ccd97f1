/* What a call leaves behind in the C library and with the system, as text where it is none of the input. Only drivers have this whose
 * versions call what changes it. */
#line 4 "parallax_kept.c"
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void parallax_observe(const char *, const void *, size_t);

struct parallax_object {
	size_t offset, size;
	unsigned char kind, unused[7];
	char name[128];
};

void __parallax_object(const void *, struct parallax_object *);

static void parallax_say(const char *file, const char *text)
{
	size_t length = 0;
	while (text[length]) length++;
	parallax_observe(file, text, length);
}

static void parallax_say_number(const char *file, unsigned long number)
{
	char digit = (char)('0' + number % 10);
	if (number >= 10) parallax_say_number(file, number / 10);
	parallax_observe(file, &digit, 1);
}

void parallax_kept_input(const char *file)
{
	for (int byte; (byte = getchar()) != EOF;) {
		unsigned char own = (unsigned char)byte;
		parallax_observe(file, &own, 1);
	}
}

void parallax_kept_random(const char *file)
{
	int next = rand();
	parallax_observe(file, &next, sizeof next);
}

void parallax_kept_environment(const char *file)
{
	for (char **variable = environ; variable && *variable; variable++) {
		parallax_say(file, *variable);
		parallax_say(file, "\n");
	}
}

void parallax_kept_locale(const char *file)
{
	parallax_say(file, setlocale(LC_ALL, NULL));
}

void parallax_kept_signals(const char *file)
{
	/* How a handler returns is the library's affair, and whether it names the signal that is blocked in any case. */
	const unsigned of_library = 0x04000000;
	for (int number = 1; number < 32; number++) {
		struct sigaction action = {0};
		struct parallax_object object;
		if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
		parallax_say_number(file, (unsigned long)number);
		__parallax_object((const void *)action.sa_handler, &object);
		parallax_say(file, action.sa_handler == SIG_IGN ? " ignored, flags " : " by ");
		if (action.sa_handler != SIG_IGN) {
			parallax_say(file, object.name);
			parallax_say(file, ", flags ");
		}
		parallax_say_number(file, (unsigned)action.sa_flags & ~of_library);
		parallax_say(file, ", blocks");
		for (int blocked = 1; blocked < 32; blocked++) {
			if (blocked == number || sigismember(&action.sa_mask, blocked) != 1) continue;
			parallax_say(file, " ");
			parallax_say_number(file, (unsigned long)blocked);
		}
		parallax_say(file, "\n");
	}
}

/* The first number that means the same file. */
static int parallax_first_of(int number)
{
	struct stat own, other;
	if (fstat(number, &own) != 0) return number;
	for (int first = 0; first < number; first++)
		if (fstat(first, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino) return first;
	return number;
}

void parallax_kept_files(const char *file)
{
	for (int number = 0; number < 64; number++) {
		int flags = fcntl(number, F_GETFD);
		if (flags < 0) continue;
		long place = (long)lseek(number, 0, SEEK_CUR);
		parallax_say_number(file, (unsigned long)number);
		parallax_say(file, " is the file of ");
		parallax_say_number(file, (unsigned long)parallax_first_of(number));
		parallax_say(file, flags & FD_CLOEXEC ? ", closed by exec, flags " : ", flags ");
		parallax_say_number(file, (unsigned long)fcntl(number, F_GETFL));
		if (place >= 0) {
			parallax_say(file, ", at ");
			parallax_say_number(file, (unsigned long)place);
		}
		parallax_say(file, "\n");
	}
}

void parallax_kept_mask(const char *file)
{
	mode_t mask = umask(0);
	umask(mask);
	parallax_say_number(file, (unsigned long)mask);
}

void parallax_kept_options(const char *file)
{
	parallax_observe(file, &optind, sizeof optind);
	parallax_observe(file, &opterr, sizeof opterr);
	parallax_observe(file, &optopt, sizeof optopt);
	parallax_say(file, optarg ? optarg : "NULL");
}
