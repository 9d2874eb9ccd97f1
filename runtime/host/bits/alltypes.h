/* Before C11, musl defines struct _IO_FILE with a member that nothing uses; ours in <stdio.h> is the only one. */

#ifndef __DEFINED_struct__IO_FILE
#define __DEFINED_struct__IO_FILE
#endif

#include_next <bits/alltypes.h>
