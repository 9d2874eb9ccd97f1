#include <signal.h>
void f(int s){ signal(SIGINT,s?SIG_IGN:SIG_DFL); }
