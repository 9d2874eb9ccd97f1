#include <signal.h>
void f(int s){ signal(SIGINT,SIG_IGN); }
