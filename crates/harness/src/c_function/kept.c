/* What a call leaves behind in the C library and with the system, as text where it is none of the input. Only drivers have this whose
 * versions call what changes it. */
#line 4 "parallax_kept.c"
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
	for (int number = 1; number < 32; number++) {
		struct sigaction action;
		struct parallax_object object;
		if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
		parallax_say_number(file, (unsigned long)number);
		__parallax_object((const void *)action.sa_handler, &object);
		parallax_say(file, action.sa_handler == SIG_IGN ? " ignored\n" : " by ");
		if (action.sa_handler == SIG_IGN) continue;
		parallax_say(file, object.name);
		parallax_say(file, "\n");
	}
}

void parallax_kept_files(const char *file)
{
	for (int number = 0; number < 64; number++) {
		if (fcntl(number, F_GETFD) < 0) continue;
		parallax_say_number(file, (unsigned long)number);
		parallax_say(file, " ");
	}
}

void parallax_kept_options(const char *file)
{
	parallax_observe(file, &optind, sizeof optind);
	parallax_observe(file, &opterr, sizeof opterr);
	parallax_observe(file, &optopt, sizeof optopt);
	parallax_say(file, optarg ? optarg : "NULL");
}
