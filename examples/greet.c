#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : getenv("USER");
	printf("Hello, %s!\n", name ? name : "stranger");
	return 0;
}
