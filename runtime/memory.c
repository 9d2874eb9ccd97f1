/* Memory functions around the VM's own malloc family.
 *
 * malloc, calloc, realloc, free, aligned_alloc, memalign, posix_memalign and malloc_usable_size stay
 * undefined: the VM provides them, one object per allocation, so that every overflow is seen. musl's
 * internal names for them end here. */

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <features.h>

hidden void *__libc_malloc(size_t n) { return malloc(n); }
hidden void *__libc_malloc_impl(size_t n) { return malloc(n); }
hidden void *__libc_calloc(size_t m, size_t n) { return calloc(m, n); }
hidden void *__libc_realloc(void *p, size_t n) { return realloc(p, n); }
hidden void __libc_free(void *p) { free(p); }

void explicit_bzero(void *p, size_t n)
{
	memset(p, 0, n);
}
