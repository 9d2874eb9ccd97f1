/* Replaces musl's arch/x86_64/pthread_arch.h: the thread pointer belongs to the VM. */

uintptr_t __parallax_thread_pointer(void);

static inline uintptr_t __get_tp(void)
{
	return __parallax_thread_pointer();
}

#define MC_PC gregs[REG_RIP]
