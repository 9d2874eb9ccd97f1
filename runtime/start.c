/* Program start: what the kernel's process image and crt1 are to a native program.
 *
 * The VM lays out argc, argv[], NULL, envp[], NULL and the auxiliary vector as the kernel does and
 * calls __parallax_start with their address. This file also replaces musl's __libc_start_main, whose
 * original holds an inline-assembly barrier. */

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include "libc.h"

int main(int, char **, char **);

/* Where the VM puts the error number of an allocation that fails. */
void __parallax_errno_place(int *);

/* Bounds of the tables of constructors. The bitcode reader makes them from llvm.global_ctors and from what
 * lies in .preinit_array and .init_array; in a program without constructors all are null and the loops do
 * not run. */
typedef void constructor(int, char **, char **);
extern weak constructor *const __preinit_array_start[], *const __preinit_array_end[];
extern weak constructor *const __init_array_start[], *const __init_array_end[];

_Noreturn void __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*ldso)(void))
{
	char **envp = argv + argc + 1;
	__init_libc(envp, argv[0]);
	__parallax_errno_place(__errno_location());
	for (constructor *const *c = __preinit_array_start; c != __preinit_array_end; c++)
		(*c)(argc, argv, envp);
	for (constructor *const *c = __init_array_start; c != __init_array_end; c++)
		(*c)(argc, argv, envp);
	exit(program(argc, argv, envp));
}

_Noreturn void __parallax_start(long *p)
{
	__libc_start_main(main, (int)p[0], (char **)(p + 1), 0, 0, 0);
}
