/* What musl's thread, process and signal assembly provided.
 *
 * Starting a thread or a process goes to the VM as the system call it is, so that the VM can name it
 * as unsupported; pretending ENOSYS would send programs down error paths that no real run takes. */

#include <errno.h>
#include <stdint.h>
#include <sys/types.h>
#include "pthread_impl.h"
#include "syscall.h"

void __parallax_set_thread_pointer(uintptr_t);

int __set_thread_area(void *p)
{
	__parallax_set_thread_pointer((uintptr_t)p);
	return 0;
}

int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	return __syscall(SYS_clone, flags, stack, 0, 0, 0);
}

_Noreturn void __unmapself(void *base, size_t size)
{
	__syscall(SYS_munmap, base, size);
	for (;;) __syscall(SYS_exit, 0);
}

/* With one thread nobody cancels a system call, so musl's code for that is left out: through it, every `read` and
 * `write` could end the thread, run destructors and take locks, and the graphs of small programs grew tenfold. What is
 * left of it is that a thread cancels itself. */
void __parallax_unsupported(const char *what);

int pthread_cancel(pthread_t thread)
{
	__parallax_unsupported("cancelling a thread (pthread_cancel)");
	return 0;
}

/* Bounds of the code region above; empty, as an asynchronous signal cannot arrive inside it. */
hidden const char __cp_begin[1], __cp_end[1], __cp_cancel[1];
