/* Prints what getopt, getopt_long and getopt_long_only do with many argument lists. Compiled once with
 * the host's versions and once with runtime/getopt.c; the outputs must be equal. */

#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OURS
#define weak_alias(old, new)
#define getopt our_getopt
#define getopt_long our_getopt_long
#define getopt_long_only our_getopt_long_only
#define optarg our_optarg
#define optind our_optind
#define opterr our_opterr
#define optopt our_optopt
#include "getopt.c"
#endif

static const char *const elements[] = {
	"-a", "-b", "-bvalue", "-ab", "-ba", "-c", "-cx", "-x", "-", "--", "file", "-W", "--all", "--al", "--a",
	"--value", "--value=1", "--val", "--all=2", "--opt", "--opt=3", "--none", "--alpha", "-all", "-value", "-:",
};

enum { element_count = sizeof elements / sizeof *elements };

static const char *const letters[] = { "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::" };

static int flagged;
static const struct option names[] = {
	{ "all", no_argument, 0, 'a' },
	{ "alpha", no_argument, &flagged, 5 },
	{ "value", required_argument, 0, 'v' },
	{ "opt", optional_argument, 0, 'o' },
	{ 0, 0, 0, 0 },
};

static void try(char **given, int count, const char *known, int kind)
{
	char *argv[8];
	memcpy(argv, given, sizeof *argv * (count + 1));
	optind = 0;
	optopt = 0;
	fprintf(stderr, "[%d %s", kind, known);
	for (int i = 1; i < count; i++) fprintf(stderr, " %s", argv[i]);
	fprintf(stderr, "]\n");
	for (int calls = 0; calls < 60; calls++) {
		int index = -1, result;
		flagged = 0;
		if (kind == 0) result = getopt(count, argv, known);
		else if (kind == 1) result = getopt_long(count, argv, known, names, &index);
		else result = getopt_long_only(count, argv, known, names, &index);
		if (result == -1) break;
		fprintf(stderr, "%d %s %d %d", result, optarg ? optarg : "(none)", index, flagged);
		if (result == '?' || result == ':') fprintf(stderr, " %d", optopt);
		fprintf(stderr, "\n");
	}
	fprintf(stderr, "rest %d:", optind);
	for (int i = 1; i < count; i++) fprintf(stderr, " %s", argv[i]);
	fprintf(stderr, "\n");
}

int main(void)
{
	char *argv[8] = { "prog" };
	for (int kind = 0; kind < 3; kind++)
		for (int l = 0; l < 4; l++)
			for (int i = 0; i < element_count; i++)
				for (int j = 0; j < element_count; j++)
					for (int k = 0; k < element_count; k += 3) {
						argv[1] = (char *)elements[i];
						argv[2] = (char *)elements[j];
						argv[3] = (char *)elements[k];
						argv[4] = 0;
						try(argv, 4, letters[l], kind);
					}
	return 0;
}
