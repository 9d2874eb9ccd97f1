/* Runs every sequence of calls up to a length, each in a process of its own, and prints what each did. A module gives ALTERNATIVES,
 * `begin`, `go_on` and `finish`. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(const int *chosen, int length)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		alarm(2);
		begin();
		for (int i = 0; i < length; i++) go_on(chosen[i]);
		finish();
		putchar('\n');
		fflush(stdout);
		_exit(0);
	}
	int status = 0;
	waitpid(child, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) printf("crash\n");
}

int main(int argc, char **argv)
{
	int length = argc > 1 ? atoi(argv[1]) : 3, chosen[8] = {0};
	for (int most = 0; most <= length; most++) {
		long all = 1;
		for (int i = 0; i < most; i++) all *= ALTERNATIVES;
		for (long number = 0; number < all; number++) {
			long rest = number;
			for (int i = 0; i < most; i++) {
				chosen[i] = (int)(rest % ALTERNATIVES);
				rest /= ALTERNATIVES;
			}
			run(chosen, most);
		}
	}
	return 0;
}
