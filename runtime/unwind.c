/* The unwinder's interface, as far as Rust's standard library names it. Modules have no unwind tables:
 * a backtrace is empty, and the rest is called only while unwinding, which cannot start. */

#include <stdint.h>

struct _Unwind_Context;
typedef int trace_function(struct _Unwind_Context *, void *);

enum { reached_end_of_stack = 5 };

int _Unwind_Backtrace(trace_function *trace, void *argument)
{
	return reached_end_of_stack;
}

#define NEVER_CALLED(type, name, ...) type name(__VA_ARGS__) { __builtin_trap(); }

NEVER_CALLED(uintptr_t, _Unwind_GetIP, struct _Unwind_Context *c)
NEVER_CALLED(uintptr_t, _Unwind_GetIPInfo, struct _Unwind_Context *c, int *before)
NEVER_CALLED(uintptr_t, _Unwind_GetCFA, struct _Unwind_Context *c)
NEVER_CALLED(void *, _Unwind_FindEnclosingFunction, void *pc)
NEVER_CALLED(uintptr_t, _Unwind_GetDataRelBase, struct _Unwind_Context *c)
NEVER_CALLED(uintptr_t, _Unwind_GetTextRelBase, struct _Unwind_Context *c)
NEVER_CALLED(uintptr_t, _Unwind_GetRegionStart, struct _Unwind_Context *c)
NEVER_CALLED(void *, _Unwind_GetLanguageSpecificData, struct _Unwind_Context *c)
NEVER_CALLED(void, _Unwind_SetGR, struct _Unwind_Context *c, int index, uintptr_t value)
NEVER_CALLED(void, _Unwind_SetIP, struct _Unwind_Context *c, uintptr_t value)
