/* getopt, getopt_long and getopt_long_only as the native twin of a program has them: operands are moved
 * behind options unless the caller or POSIXLY_CORRECT asks otherwise, and messages have the host's
 * wording. (musl's getopt stops at the first operand and words its messages differently.)
 *
 * Operands are skipped, and moved when the next element is looked for, not before: between two calls a program
 * sees argv and optind as the host shows them. So at any time argv is: elements done, skipped operands, elements
 * read since they were skipped, elements to come. */

#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <features.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?', __optreset = 0;
weak_alias(__optreset, optreset);

static char *cluster; /* rest of a group of short options; null between elements */
static int operands = 1, options = 1; /* where the skipped operands begin, and where what was read since does */

struct call {
	int argc;
	char **argv;
	const char *letters;
	const struct option *names;
	int *index;
	int only; /* one dash may introduce a long name, too */
	int complain;
	char missing; /* what a missing argument is reported as */
};

static void pull(char **argv, int from, int to)
{
	char *element = argv[from];
	for (; from > to; from--) argv[from] = argv[from - 1];
	argv[to] = element;
}

static int is_operand(const char *element)
{
	return element[0] != '-' || !element[1];
}

/* Moves what was read since operands were skipped in front of them. */
static void settle(char **argv)
{
	for (int at = options; at < optind; at++) pull(argv, at, operands++);
	options = optind;
}

/* The element after the current one, as the argument of an option; null at the end. */
static char *next_element(struct call *c)
{
	return optind < c->argc ? c->argv[optind++] : 0;
}

static int read_short(struct call *c)
{
	char letter = *cluster++;
	const char *known = letter == ':' || letter == ';' ? 0 : strchr(c->letters, letter);
	char *rest = cluster;
	if (!*rest) {
		cluster = 0;
		optind++;
	}
	if (!known) {
		if (c->complain)
			fprintf(stderr, "%s: invalid option -- '%c'\n", c->argv[0], letter);
		optopt = letter;
		return '?';
	}
	if (known[1] != ':') return letter;

	optarg = 0;
	if (*rest) {
		optarg = rest;
		cluster = 0;
		optind++;
	} else if (known[2] != ':') {
		optarg = next_element(c);
		if (!optarg) {
			if (c->complain)
				fprintf(stderr, "%s: option requires an argument -- '%c'\n", c->argv[0], letter);
			optopt = letter;
			return c->missing;
		}
	}
	return letter;
}

static int same_effect(const struct option *a, const struct option *b)
{
	return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option that a full name or an unambiguous beginning means. */
static const struct option *find_long(struct call *c, const char *name, size_t length, int *ambiguous)
{
	const struct option *found = 0;
	*ambiguous = 0;
	for (const struct option *o = c->names; o->name; o++) {
		if (strncmp(o->name, name, length)) continue;
		if (strlen(o->name) == length) {
			*ambiguous = 0;
			return o;
		}
		if (!found) found = o;
		else if (c->only || !same_effect(found, o)) *ambiguous = 1;
	}
	return found;
}

static int read_long(struct call *c, char *name, const char *dashes)
{
	size_t length = strcspn(name, "=");
	int ambiguous;
	const struct option *option = find_long(c, name, length, &ambiguous);
	if (ambiguous) {
		if (c->complain) {
			fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", c->argv[0], dashes, name);
			for (const struct option *o = c->names; o->name; o++)
				if (!strncmp(o->name, name, length)) fprintf(stderr, " '%s%s'", dashes, o->name);
			fputc('\n', stderr);
		}
		optind++;
		optopt = 0;
		return '?';
	}
	if (!option) {
		if (c->only && dashes[1] != '-' && strchr(c->letters, *name)) return -1;
		if (c->complain)
			fprintf(stderr, "%s: unrecognized option '%s%s'\n", c->argv[0], dashes, name);
		optind++;
		optopt = 0;
		return '?';
	}
	optind++;
	optarg = 0;
	if (name[length]) {
		if (option->has_arg == no_argument) {
			if (c->complain)
				fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", c->argv[0], dashes,
					option->name);
			optopt = option->val;
			return '?';
		}
		optarg = name + length + 1;
	} else if (option->has_arg == required_argument) {
		optarg = next_element(c);
		if (!optarg) {
			if (c->complain)
				fprintf(stderr, "%s: option '%s%s' requires an argument\n", c->argv[0], dashes,
					option->name);
			optopt = option->val;
			return c->missing;
		}
	}
	if (c->index) *c->index = (int)(option - c->names);
	if (!option->flag) return option->val;
	*option->flag = option->val;
	return 0;
}

static int read_option(struct call *c)
{
	if (c->argc < 1) return -1;
	optarg = 0;
	if (!optind || __optreset) {
		optind = operands = options = 1;
		__optreset = 0;
		cluster = 0;
	}
	char order = *c->letters;
	if (order == '-' || order == '+') c->letters++;
	else if (getenv("POSIXLY_CORRECT")) order = '+';
	c->complain = opterr && *c->letters != ':';
	c->missing = *c->letters == ':' ? ':' : '?';
	if (cluster && *cluster) return read_short(c);

	/* The program may have set optind back. */
	if (options > optind) options = optind;
	if (operands > optind) operands = optind;
	if (order != '+' && order != '-') {
		settle(c->argv);
		while (optind < c->argc && is_operand(c->argv[optind])) optind++;
		options = optind;
	}
	if (optind < c->argc && !strcmp(c->argv[optind], "--")) {
		optind++;
		settle(c->argv);
		optind = options = c->argc;
	}
	if (optind >= c->argc) {
		if (operands < options) optind = operands;
		return -1;
	}
	char *element = c->argv[optind];
	if (is_operand(element)) {
		if (order == '+') return -1;
		optarg = element;
		optind++;
		return 1;
	}
	if (c->names) {
		if (element[1] == '-') return read_long(c, element + 2, "--");
		if (c->only && (element[2] || !strchr(c->letters, element[1]))) {
			int result = read_long(c, element + 1, "-");
			if (result != -1) return result;
		}
	}
	cluster = element + 1;
	return read_short(c);
}

int getopt(int argc, char *const argv[], const char *letters)
{
	struct call c = { .argc = argc, .argv = (char **)argv, .letters = letters };
	return read_option(&c);
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *names, int *index)
{
	struct call c = { argc, (char **)argv, letters, names, index, 0 };
	return read_option(&c);
}

int getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *names, int *index)
{
	struct call c = { argc, (char **)argv, letters, names, index, 1 };
	return read_option(&c);
}
