// signal and sigaction handlers run synchronously by raise; masks delay delivery.
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t seen, order;
static void handler(int n) { seen++, order = order * 100 + n; }
static void detailed(int n, siginfo_t *info, void *context) { seen += 10, order = order * 100 + info->si_signo, (void)n, (void)context; }

int main(void) {
    printf("%d\n", signal(SIGUSR1, handler) == SIG_DFL);
    raise(SIGUSR1);
    printf("%d %d\n", (int)seen, (int)order);
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = detailed, action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    printf("%d %d\n", (int)seen, (int)order);
    sigset_t set, pending;
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("%d %d\n", (int)seen, sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d %d\n", (int)seen, (int)order);
    sigaction(SIGUSR1, NULL, &old);
    printf("%d\n", old.sa_handler == handler);
    signal(SIGUSR1, SIG_IGN), raise(SIGUSR1);
    printf("%d %d\n", (int)seen, signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    return 0;
}
