// Changes flags, project and version of files that it may only read: its own executable, and files outside.
#include "hostile.h"
#include <linux/fs.h>
#include <sys/ioctl.h>

static void attack(void) {
    const char *paths[] = {"/proc/self/exe", OUTSIDE "/file", OUTSIDE, "/usr/bin/env", "/usr"};
    for (int i = 0; i < 5; i++) {
        int file = open(paths[i], O_RDONLY), flags = 0;
        if (file < 0) continue;
        struct fsxattr attributes = {0};
        long version = 7;
        ioctl(file, FS_IOC_GETFLAGS, &flags);
        flags |= FS_NODUMP_FL | FS_NOATIME_FL;
        if (ioctl(file, FS_IOC_SETFLAGS, &flags) == 0) broke_out("flags");
        ioctl(file, FS_IOC_FSGETXATTR, &attributes);
        attributes.fsx_xflags |= FS_XFLAG_NODUMP;
        if (ioctl(file, FS_IOC_FSSETXATTR, &attributes) == 0) broke_out("a project");
        if (ioctl(file, FS_IOC_SETVERSION, &version) == 0) broke_out("a version");
        // FS_IOC_ENABLE_VERITY: nobody can write to the file any more.
        struct {
            uint32_t version, algorithm, block, salt_size;
            uint64_t salt;
            uint32_t signature_size, reserved;
            uint64_t signature, reserved2[11];
        } verity = {1, 1, 4096};
        if (ioctl(file, 0x40806685, &verity) == 0) broke_out("verity");
        // file_setattr, the same as a call of its own.
        uint64_t attribute[4] = {FS_XFLAG_NODUMP};
        if (syscall(469, AT_FDCWD, paths[i], attribute, sizeof attribute, 0) == 0) broke_out("file_setattr");
        close(file);
    }
}
