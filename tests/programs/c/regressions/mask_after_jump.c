// Leaving a signal handler by siglongjmp restores the mask that sigsetjmp saved, so the signal can be
// delivered again; without saving it stays blocked.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf buffer;
static volatile int delivered;

static void on_signal(int number) {
    (void)number;
    delivered++;
    siglongjmp(buffer, 1);
}

int main(void) {
    signal(SIGUSR1, on_signal);
    for (volatile int round = 0; round < 3; round++) {
        if (sigsetjmp(buffer, 1) == 0) {
            raise(SIGUSR1);
            printf("not delivered\n");
        }
    }
    printf("with the mask: %d\n", delivered);
    delivered = 0;
    for (volatile int round = 0; round < 3; round++) {
        if (sigsetjmp(buffer, 0) == 0) {
            raise(SIGUSR1);
            printf("blocked in round %d\n", round);
        }
    }
    printf("without: %d\n", delivered);
    return 0;
}
