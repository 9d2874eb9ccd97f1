// What the functions of <ctype.h> return, not only whether it is 0: the host gives each class's bit.
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <stdio.h>

typedef int Function(int);

#define CLASSES(each) \
	each(isalnum) each(isalpha) each(isblank) each(iscntrl) each(isdigit) each(isgraph) each(islower) \
	each(isprint) each(ispunct) each(isspace) each(isupper) each(isxdigit) each(toupper) each(tolower)

static const char *const names[] = {
#define NAME(function) #function,
	CLASSES(NAME)
};

// Calls through a pointer: some compilers replace a plain call by an expression of their own.
static Function *const volatile functions[] = {
#define ADDRESS(function) function,
	CLASSES(ADDRESS)
};

static int by_name(int which, int c)
{
	int number = 0;
#define CASE(function) if (which == number++) return function(c);
	CLASSES(CASE)
	return -1;
}

static int letters_added_up(const char *text)
{
	int sum = 0;
	for (; *text; text++) sum += isalpha((unsigned char)*text);
	return sum;
}

int main(void)
{
	for (int which = 0; which < (int)(sizeof names / sizeof *names); which++) {
		printf("%s", names[which]);
		for (int c = -1; c < 256; c++) {
			int value = functions[which](c);
			printf(" %d", value);
			if (by_name(which, c) != value) printf("!%d", by_name(which, c));
		}
		printf("\n");
	}
	printf("%d\n", letters_added_up("a1 Bc"));
	locale_t c_locale = newlocale(LC_ALL_MASK, "C", 0);
	printf("%d %d %d\n", isalpha_l('x', c_locale), isspace_l(' ', c_locale), isdigit_l('x', c_locale));
	freelocale(c_locale);
	return 0;
}
