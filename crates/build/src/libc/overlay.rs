//! Our side of the guest libc: the files of `runtime/`, carried inside the executable so that it can
//! build the libc wherever it is installed, and the list of musl files they stand in for.

use std::fs;
use std::path::Path;

use crate::cache::Key;
use crate::error::{BuildError, IoContext, Result};

macro_rules! runtime_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../runtime/", $name)))),*]
    };
}

/// Name within `runtime/` and text of each file.
pub(super) const FILES: &[(&str, &str)] = runtime_files![
    "complex.c",
    "ctype.c",
    "fenv.c",
    "getopt.c",
    "host.c",
    "host/assert.h",
    "host/bits/alltypes.h",
    "host/cpuid.h",
    "host/ctype.h",
    "host/error.h",
    "host/fcntl.h",
    "host/features.h",
    "host/fenv.h",
    "host/inttypes.h",
    "host/limits.h",
    "host/locale.h",
    "host/math.h",
    "host/stdint.h",
    "host/stdio.h",
    "host/stdlib.h",
    "host/string.h",
    "host/sys/cdefs.h",
    "host/sys/single_threaded.h",
    "host/sys/statfs.h",
    "host/unistd.h",
    "include/atomic_arch.h",
    "include/pthread_arch.h",
    "include/syscall_arch.h",
    "init_libc.c",
    "math.c",
    "math_errno.c",
    "memory.c",
    "messages.c",
    "qsort.c",
    "random.c",
    "start.c",
    "thread.c",
    "unwind.c",
];

/// Headers, below `runtime/`, that guest programs see before musl's.
pub(super) const HOST_HEADERS: &str = "host/";

/// The runtime file that is linked whole into every program instead of being part of `libc.bc`.
pub(super) const START: &str = "start.c";

/// musl files left out, because the VM provides what they define, because a file of `runtime/` does,
/// or because nothing in a guest can use it. Relative to `src/`; a trailing slash means the folder.
pub(super) const LEFT_OUT: &[&str] = &[
    // VM builtins: the malloc family, block copies, non-local jumps.
    "malloc/calloc.c",
    "malloc/free.c",
    "malloc/libc_calloc.c",
    "malloc/lite_malloc.c",
    "malloc/mallocng/",
    "malloc/memalign.c",
    "malloc/oldmalloc/",
    "malloc/posix_memalign.c",
    "malloc/realloc.c",
    "setjmp/",
    "signal/siglongjmp.c",
    "signal/sigsetjmp.c",
    "signal/sigsetjmp_tail.c",
    "string/memcpy.c",
    "string/memmove.c",
    "string/memset.c",
    // Replaced by runtime/start.c and runtime/init_libc.c.
    "env/__libc_start_main.c",
    // Replaced by runtime/thread.c.
    "thread/__set_thread_area.c",
    "thread/__unmapself.c",
    "thread/clone.c",
    "thread/pthread_cancel.c",
    "thread/syscall_cp.c",
    // Replaced by runtime/ctype.c.
    "ctype/isalnum.c",
    "ctype/isalpha.c",
    "ctype/isblank.c",
    "ctype/iscntrl.c",
    "ctype/isdigit.c",
    "ctype/isgraph.c",
    "ctype/islower.c",
    "ctype/isprint.c",
    "ctype/ispunct.c",
    "ctype/isspace.c",
    "ctype/isupper.c",
    "ctype/isxdigit.c",
    // Replaced by runtime/memory.c.
    "string/explicit_bzero.c",
    // Replaced by runtime/fenv.c.
    "fenv/fenv.c",
    // Replaced by runtime/math.c and runtime/math_errno.c.
    "math/ceil.c",
    "math/ceilf.c",
    "math/fabs.c",
    "math/fabsf.c",
    "math/floor.c",
    "math/floorf.c",
    "math/fma.c",
    "math/fmaf.c",
    "math/rint.c",
    "math/rintf.c",
    "math/sqrt.c",
    "math/sqrtf.c",
    "math/trunc.c",
    "math/truncf.c",
    // Replaced by runtime/getopt.c.
    "misc/getopt.c",
    "misc/getopt_long.c",
    // Replaced by runtime/messages.c.
    "errno/strerror.c",
    "exit/assert.c",
    "string/strsignal.c",
    // Replaced by runtime/qsort.c.
    "stdlib/qsort.c",
    "stdlib/qsort_nr.c",
    // Replaced by runtime/random.c.
    "prng/rand.c",
    "prng/rand_r.c",
    "prng/random.c",
    // Called by the dynamic linker only.
    "ldso/tlsdesc.c",
];

/// musl files with two versions, of which the one for `__GNUC__` reads whole words past the end of a
/// string. That is fine on hardware with pages, but here it would be a false alarm at the end of every
/// object and would tie symbolic bytes together; without the macro the byte-wise version is compiled.
const BYTE_WISE: &[&str] = &[
    "multibyte/mbsrtowcs.c",
    "string/memccpy.c",
    "string/memchr.c",
    "string/stpcpy.c",
    "string/stpncpy.c",
    "string/strchrnul.c",
    "string/strlcpy.c",
    "string/strlen.c",
];

/// Math functions, in all three types, whose musl version is called by that of `runtime/math_errno.c`.
const WITHOUT_ERRNO: &[&str] = &[
    "acos", "acosh", "asin", "atanh", "cos", "cosh", "exp", "exp2", "expm1", "fmod", "hypot",
    "ldexp", "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "sqrt", "tan",
];

/// Passages of musl files that are changed before compiling: file, passage, replacement.
const CHANGES: &[(&str, &str, &str)] = &[
    // Without LC_ALL and LANG the locale is "C", as in the native program; musl alone prefers UTF-8.
    (
        "locale/locale_map.c",
        "(val = \"C.UTF-8\");",
        "(val = \"C\");",
    ),
    // Null pointers print as on the host, others without leading zeros.
    (
        "stdio/vfprintf.c",
        "p = MAX(p, 2*sizeof(void*));",
        "if (!arg.p) { a = \"(nil)\"; z = a + 5; p = 5; fl &= ~ZERO_PAD; break; }",
    ),
    // Buffers of a page, as the host's, and no flushing at the ends of lines, since the guest's
    // standard output is never a terminal (musl flushes until the first write has asked the kernel):
    // what a crashing program had not written yet is the same.
    ("stdio/stdin.c", "BUFSIZ", "4096"),
    ("stdio/stdout.c", "BUFSIZ", "4096"),
    ("stdio/stdout.c", ".lbf = '\\n'", ".lbf = -1"),
    ("stdio/__fdopen.c", "BUFSIZ", "4096"),
    // A number without digits is no error of strtol's and strtod's on the host.
    ("internal/intscan.c", "\t\t\terrno = EINVAL;", ""),
    ("internal/floatscan.c", "errno = EINVAL;", ""),
    // The host's libc keeps two real-time signals for itself, musl three.
    ("signal/sigrtmin.c", "return 35;", "return 34;"),
    // Closing a file looks for pending asynchronous transfers, which are threads: there are none.
    ("stdio/__stdio_close.c", "__aio_close(f->fd)", "f->fd"),
    ("unistd/close.c", "__aio_close(fd)", "fd"),
    // Flags that these only put back: none are tracked, and asking for one is not supported.
    ("math/nearbyint.c", "fetestexcept(FE_INEXACT)", "0"),
    ("math/nearbyintf.c", "fetestexcept(FE_INEXACT)", "0"),
    ("math/nearbyintl.c", "fetestexcept(FE_INEXACT)", "0"),
    ("math/lrintl.c", "fetestexcept(FE_INEXACT)", "0"),
    ("math/llrintl.c", "fetestexcept(FE_INEXACT)", "0"),
    ("math/fmal.c", "fetestexcept(FE_INEXACT)", "0"),
    ("fenv/feupdateenv.c", "fetestexcept(FE_ALL_EXCEPT)", "0"),
];

/// Rounding never changes in the guest; without this pragma clang emits plain arithmetic.
const ROUNDING_PRAGMA: &str = "#pragma STDC FENV_ACCESS ON";

/// The text of a musl file as it is to be compiled, or nothing if that is the original.
pub(super) fn change(name: &str, text: &str) -> Result<Option<String>> {
    let mut changed = text.replace(ROUNDING_PRAGMA, "");
    for (_, passage, replacement) in CHANGES.iter().filter(|(file, _, _)| *file == name) {
        if !changed.contains(passage) {
            return Err(BuildError::UnknownInput {
                path: name.into(),
                reason: format!("this version of musl does not have the passage `{passage}`"),
            });
        }
        changed = changed.replace(passage, replacement);
    }
    Ok((changed != text).then_some(changed))
}

/// The flag that a musl file is compiled with besides those of all.
pub(super) fn flag(name: &str) -> Option<String> {
    if BYTE_WISE.contains(&name) {
        return Some("-U__GNUC__".to_owned());
    }
    let function = name.strip_prefix("math/")?.strip_suffix(".c")?;
    let in_double = function.strip_suffix(['f', 'l']).unwrap_or(function);
    WITHOUT_ERRNO
        .contains(&in_double)
        .then(|| format!("-D{function}=__musl_{function}"))
}

pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.iter().any(|entry| {
        if entry.ends_with('/') {
            name.starts_with(entry)
        } else {
            name == *entry
        }
    })
}

pub(super) fn unpack(folder: &Path) -> Result<()> {
    for (name, text) in FILES {
        write(&folder.join(name), text)?;
    }
    Ok(())
}

/// Installs the headers that guest programs see before musl's.
pub(super) fn install_host_headers(folder: &Path) -> Result<()> {
    for (name, text) in FILES {
        if let Some(name) = name.strip_prefix(HOST_HEADERS) {
            write(&folder.join(name), text)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).context("create", parent)?;
    fs::write(path, text).context("write", path)
}

pub(super) fn add_to(key: &mut Key) {
    for (name, text) in FILES {
        key.add(name).add(text);
    }
    for name in LEFT_OUT.iter().chain(BYTE_WISE).chain(WITHOUT_ERRNO) {
        key.add(name);
    }
    for (name, passage, replacement) in CHANGES {
        key.add(name).add(passage).add(replacement);
    }
    key.add(ROUNDING_PRAGMA);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runtime_file_is_carried() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
        let mut found = Vec::new();
        let mut pending = vec![folder.clone()];
        while let Some(next) = pending.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending.push(path);
                } else if path
                    .extension()
                    .is_some_and(|kind| kind == "c" || kind == "h")
                {
                    found.push(
                        path.strip_prefix(&folder)
                            .unwrap()
                            .to_str()
                            .unwrap()
                            .to_owned(),
                    );
                }
            }
        }
        found.sort();
        let carried: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(found, carried);
    }

    #[test]
    fn math_functions_are_renamed_in_all_types() {
        for (name, function) in [("math/exp.c", "exp"), ("math/log1pf.c", "log1pf")] {
            assert_eq!(flag(name), Some(format!("-D{function}=__musl_{function}")));
        }
        assert_eq!(flag("math/ceill.c"), None);
        assert_eq!(flag("string/strlen.c").as_deref(), Some("-U__GNUC__"));
    }

    #[test]
    fn a_folder_entry_covers_its_files_only() {
        assert!(is_left_out("setjmp/longjmp.c"));
        assert!(is_left_out("string/memcpy.c"));
        assert!(!is_left_out("string/memccpy.c"));
        assert!(!is_left_out("malloc/reallocarray.c"));
    }
}
