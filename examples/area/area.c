#include <stdio.h>
#include <stdlib.h>
int rectangle(int width, int height);
int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: %s WIDTH HEIGHT\n", argv[0]);
		return 1;
	}
	printf("%d\n", rectangle(atoi(argv[1]), atoi(argv[2])));
	return 0;
}
