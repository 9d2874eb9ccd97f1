/* Replaces musl's arch/x86_64/syscall_arch.h: every system call becomes one call of a VM builtin, so
 * the module holds no inline assembly and the VM sees number and arguments as plain values.
 * The vDSO macros of the original are left out on purpose: there is no vDSO in the VM. */

#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long __parallax_syscall(long number, long a, long b, long c, long d, long e, long f);

static __inline long __syscall0(long n)
{
	return __parallax_syscall(n, 0, 0, 0, 0, 0, 0);
}

static __inline long __syscall1(long n, long a)
{
	return __parallax_syscall(n, a, 0, 0, 0, 0, 0);
}

static __inline long __syscall2(long n, long a, long b)
{
	return __parallax_syscall(n, a, b, 0, 0, 0, 0);
}

static __inline long __syscall3(long n, long a, long b, long c)
{
	return __parallax_syscall(n, a, b, c, 0, 0, 0);
}

static __inline long __syscall4(long n, long a, long b, long c, long d)
{
	return __parallax_syscall(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long n, long a, long b, long c, long d, long e)
{
	return __parallax_syscall(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	return __parallax_syscall(n, a, b, c, d, e, f);
}

#define IPC_64 0
