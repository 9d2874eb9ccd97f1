#include <stdio.h>
#include <stdlib.h>

static char *initials(int count, char **names)
{
	char *text = malloc(count);
	for (int i = 0; i < count; i++) text[i] = names[i][0];
	text[count] = '\0';
	return text;
}

int main(int argc, char **argv)
{
	char *text = initials(argc - 1, argv + 1);
	puts(text);
	free(text);
	return 0;
}
