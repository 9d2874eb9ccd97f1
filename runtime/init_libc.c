/* musl's __init_libc without the set-uid preparations (the VM's user is never privileged) and without
 * the vDSO. Fills in what the rest of libc reads: environment, auxiliary vector, program name,
 * thread pointer. */

#include <elf.h>
#include <stddef.h>
#include <unistd.h>
#include "libc.h"

enum { known_auxiliary_entries = 38 };

void __init_libc(char **envp, char *program_name)
{
	size_t aux[known_auxiliary_entries] = { 0 };
	__environ = envp;
	while (*envp) envp++;
	size_t *auxv = (size_t *)(envp + 1);
	libc.auxv = auxv;
	for (; auxv[0]; auxv += 2)
		if (auxv[0] < known_auxiliary_entries) aux[auxv[0]] = auxv[1];

	__hwcap = aux[AT_HWCAP];
	libc.page_size = aux[AT_PAGESZ];
	libc.secure = aux[AT_SECURE] != 0;

	if (!program_name) program_name = (char *)aux[AT_EXECFN];
	if (!program_name) program_name = "";
	__progname = __progname_full = program_name;
	for (char *p = program_name; *p; p++)
		if (*p == '/') __progname = p + 1;

	__init_tls(aux);
}
