/* A dial lock: the signs ( < { * in this order, with small letters between them, move the bolt. */
#include <stdio.h>
#include <string.h>

struct lock {
	int bolt;
};

static int turn(struct lock *lock, const char *dial, size_t length)
{
	if (length == 0) return -1;
	for (size_t i = 0; i < length; i++) {
		unsigned char sign = dial[i];
		if (sign == ' ') return lock->bolt;
		if (sign < ' ' || sign > '~') return -2;
		if (sign >= '0' && sign <= '9') return -3;
		if (sign >= 'A' && sign <= 'Z') return -4;
		if (sign == '(') lock->bolt = 1;
		else if (lock->bolt == 1 && sign == '<') lock->bolt = 2;
		else if (lock->bolt == 2 && sign == '{') lock->bolt = 3;
		else if (lock->bolt == 3 && sign == '*') {
			lock->bolt = 4;
		} else if (!(sign >= 'a' && sign <= 'z')) {
			return -1;
		}
	}
	return lock->bolt;
}

int main(int argc, char **argv)
{
	struct lock lock = {0};
	if (argc != 2) return 2;
	int result = turn(&lock, argv[1], strlen(argv[1]));
	printf("%d, bolt at %d\n", result, lock.bolt);
	return 0;
}
