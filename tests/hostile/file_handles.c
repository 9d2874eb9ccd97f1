// Opens files by handles instead of names.
#include "hostile.h"

static void attack(void) {
    char handle[128] = {0};
    int mount_id;
    *(unsigned *)handle = 100;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, "/", handle, &mount_id, 0) == 0) broke_out("name_to_handle_at");
    *(unsigned *)handle = 8;
    errno = 0;
    if (syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY) >= 0 || errno == ESTALE) broke_out("open_by_handle_at");
}
