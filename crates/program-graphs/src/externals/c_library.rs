//! The functions of the C library, by what the C and POSIX standards say about them.
//!
//! Left out are functions that keep pointers of the program, call it back later, or are
//! rare: what is not here counts as unknown, which is safe.

use super::Effect::{self, *};
use super::LibraryArea::{Locale, Random, Time, Token, Variables};
use crate::CallControl;

const STANDARD_INPUT: &str = "__stdin_FILE";
const STANDARD_OUTPUT: &str = "__stdout_FILE";
const STANDARD_ERROR: &str = "__stderr_FILE";

pub(super) fn functions(name: &str) -> Option<(CallControl, &'static [Effect])> {
    let never = |effects: &'static [Effect]| Some((CallControl::NeverReturns, effects));
    let effects = strings(name)
        .or_else(|| numbers(name))
        .or_else(|| output(name))
        .or_else(|| input(name))
        .or_else(|| files(name))
        .or_else(|| others(name));
    match (effects, name) {
        (Some(effects), _) => Some((CallControl::Returns, effects)),
        // What is buffered is put out.
        (None, "exit") => never(&[WritesNamedStream(STANDARD_OUTPUT), TouchesWorld]),
        (None, "_exit" | "_Exit" | "abort" | "quick_exit") => never(&[TouchesWorld]),
        (None, "__assert_fail") => never(&[Reads(0), Reads(1), Reads(3), TouchesWorld]),
        _ => None,
    }
}

fn strings(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "strdup" | "strndup" => &[Allocates, CopiesIntoResult(0), SetsErrno],
        "bcopy" => &[Copies {
            to: 1,
            from: 0,
            length: 2,
        }],
        "strcpy" | "strncpy" | "stpcpy" | "stpncpy" | "strcat" | "strncat" | "wcscpy"
        | "wcsncpy" | "wcscat" | "wcsncat" | "wmemcpy" | "wmemmove" | "strlcpy" | "strlcat"
        | "memccpy" => &[ReturnsInto(0), Reads(0), CopiesString { to: 0, from: 1 }],
        "bzero" | "explicit_bzero" => &[Writes(0)],
        "wmemset" => &[Writes(0), ReturnsInto(0)],
        "memcmp" | "bcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll"
        | "strspn" | "strcspn" | "strverscmp" | "wcscmp" | "wcsncmp" | "wmemcmp" | "wcsspn"
        | "wcscspn" => &[Reads(0), Reads(1)],
        "strlen" | "strnlen" | "wcslen" | "wcsnlen" => &[Reads(0)],
        "memchr" | "memrchr" | "rawmemchr" | "strchr" | "strrchr" | "strchrnul" | "index"
        | "rindex" | "wcschr" | "wcsrchr" | "wmemchr" => &[Reads(0), ReturnsInto(0)],
        "strstr" | "strpbrk" | "strcasestr" | "memmem" | "wcsstr" | "wcspbrk" => {
            &[Reads(0), Reads(1), ReturnsInto(0)]
        }
        "strtok" => &[
            Reads(1),
            RemembersAndReturns(0),
            ReadsArea(Token),
            WritesArea(Token),
        ],
        "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "isprint"
        | "ispunct" | "isxdigit" | "iscntrl" | "isgraph" | "isblank" | "isascii" | "toascii"
        | "toupper" | "tolower" => &[],
        "mbtowc" | "mbrtowc" | "mbstowcs" | "wctomb" | "wcrtomb" | "wcstombs" | "mblen"
        | "mbrlen" | "btowc" | "wctob" => &[
            ReadsArea(Locale),
            WritesArea(Locale),
            ReadsFrom(0),
            WritesFrom(0),
            SetsErrno,
        ],
        _ => return None,
    })
}

fn numbers(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "atoi" | "atol" | "atoll" | "atof" => &[Reads(0), SetsErrno],
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold"
        | "strtoimax" | "strtoumax" => &[
            Reads(0),
            StoresPointer {
                through: 1,
                into: 0,
            },
            SetsErrno,
        ],
        "fabs" | "fabsf" | "fabsl" | "floor" | "floorf" | "floorl" | "ceil" | "ceilf" | "ceill"
        | "round" | "roundf" | "roundl" | "trunc" | "truncf" | "truncl" | "rint" | "rintf"
        | "rintl" | "nearbyint" | "nearbyintf" | "copysign" | "copysignf" | "copysignl"
        | "fmax" | "fmaxf" | "fmin" | "fminf" | "fma" | "fmaf" | "cbrt" | "cbrtf" | "abs"
        | "labs" | "llabs" | "div" | "ldiv" | "lldiv" | "ffs" | "ffsl" | "ffsll" | "htonl"
        | "htons" | "ntohl" | "ntohs" => &[],
        "sqrt" | "sqrtf" | "sqrtl" | "sin" | "cos" | "tan" | "sinf" | "cosf" | "tanf" | "asin"
        | "acos" | "atan" | "atan2" | "atanf" | "atan2f" | "sinh" | "cosh" | "tanh" | "exp"
        | "expf" | "exp2" | "expm1" | "log" | "logf" | "log2" | "log10" | "log1p" | "pow"
        | "powf" | "powl" | "hypot" | "hypotf" | "fmod" | "fmodf" | "fmodl" | "remainder"
        | "ldexp" | "ldexpf" | "ldexpl" | "scalbn" | "lround" | "llround" | "lrint" | "llrint"
        | "logb" | "ilogb" | "nextafter" | "fdim" | "tgamma" | "lgamma" | "erf" | "erfc" => {
            &[SetsErrno]
        }
        "frexp" | "frexpf" | "frexpl" | "modf" | "modff" | "modfl" => &[WritesFrom(0)],
        "rand" | "random" | "srand" | "srandom" | "drand48" | "lrand48" | "mrand48" | "srand48" => {
            &[ReadsArea(Random), WritesArea(Random)]
        }
        "rand_r" => &[Reads(0), Writes(0)],
        _ => return None,
    })
}

fn output(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "printf" | "wprintf" => &[
            Formats(0),
            ReadsArea(Locale),
            WritesNamedStream(STANDARD_OUTPUT),
            SetsErrno,
        ],
        "vprintf" => &[
            Reads(0),
            ReadsDeep(1),
            WritesDeep(1),
            ReadsArea(Locale),
            WritesNamedStream(STANDARD_OUTPUT),
            SetsErrno,
        ],
        "puts" => &[Reads(0), WritesNamedStream(STANDARD_OUTPUT), SetsErrno],
        "putchar" | "putchar_unlocked" => &[WritesNamedStream(STANDARD_OUTPUT), SetsErrno],
        "perror" => &[
            Reads(0),
            ReadsArea(super::LibraryArea::ErrorNumber),
            WritesNamedStream(STANDARD_ERROR),
            SetsErrno,
        ],
        "fprintf" | "fwprintf" => &[Formats(1), ReadsArea(Locale), WritesStream(0), SetsErrno],
        "vfprintf" => &[
            Reads(1),
            ReadsDeep(2),
            WritesDeep(2),
            ReadsArea(Locale),
            WritesStream(0),
            SetsErrno,
        ],
        "fputs" | "fputs_unlocked" => &[Reads(0), WritesStream(1), SetsErrno],
        "fputc" | "putc" | "putc_unlocked" | "fputc_unlocked" | "fputwc" => {
            &[WritesStream(1), SetsErrno]
        }
        "fwrite" | "fwrite_unlocked" => &[Reads(0), WritesStream(3), SetsErrno],
        "sprintf" => &[Writes(0), Formats(1), ReadsArea(Locale), SetsErrno],
        "snprintf" | "swprintf" => &[Writes(0), Formats(2), ReadsArea(Locale), SetsErrno],
        "vsprintf" => &[
            Writes(0),
            Reads(1),
            ReadsDeep(2),
            WritesDeep(2),
            ReadsArea(Locale),
            SetsErrno,
        ],
        "vsnprintf" => &[
            Writes(0),
            Reads(2),
            ReadsDeep(3),
            WritesDeep(3),
            ReadsArea(Locale),
            SetsErrno,
        ],
        "asprintf" => &[
            AllocatesInto(0),
            WritesDeep(0),
            Formats(1),
            ReadsArea(Locale),
            SetsErrno,
        ],
        _ => return None,
    })
}

fn input(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "getchar" | "getchar_unlocked" => &[ReadsNamedStream(STANDARD_INPUT), SetsErrno],
        "scanf" => &[
            Reads(0),
            WritesFrom(1),
            ReadsArea(Locale),
            ReadsNamedStream(STANDARD_INPUT),
            SetsErrno,
        ],
        "fscanf" => &[
            Reads(1),
            WritesFrom(2),
            ReadsArea(Locale),
            ReadsStream(0),
            SetsErrno,
        ],
        "sscanf" => &[
            Reads(0),
            Reads(1),
            WritesFrom(2),
            ReadsArea(Locale),
            SetsErrno,
        ],
        "getc" | "fgetc" | "getc_unlocked" | "fgetc_unlocked" | "fgetwc" => {
            &[ReadsStream(0), SetsErrno]
        }
        "ungetc" => &[ReadsStream(1), SetsErrno],
        "fgets" | "fgets_unlocked" => &[Writes(0), ReadsStream(2), ReturnsInto(0), SetsErrno],
        "fread" | "fread_unlocked" => &[Writes(0), ReadsStream(3), SetsErrno],
        "getline" => &[
            ReadsDeep(0),
            AllocatesInto(0),
            WritesDeep(0),
            Reads(1),
            Writes(1),
            ReadsStream(2),
            SetsErrno,
        ],
        "getdelim" => &[
            ReadsDeep(0),
            AllocatesInto(0),
            WritesDeep(0),
            Reads(1),
            Writes(1),
            ReadsStream(3),
            SetsErrno,
        ],
        _ => return None,
    })
}

fn files(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "fopen" => &[Reads(0), Reads(1), Allocates, TouchesWorld, SetsErrno],
        "fdopen" => &[Reads(1), Allocates, TouchesWorld, SetsErrno],
        "tmpfile" => &[Allocates, TouchesWorld, SetsErrno],
        "fclose" | "fflush" | "fflush_unlocked" => &[WritesStream(0), SetsErrno],
        "feof" | "ferror" | "clearerr" | "ftell" | "ftello" | "rewind" | "fileno" | "fseek"
        | "fseeko" | "feof_unlocked" | "ferror_unlocked" => &[ReadsStream(0), SetsErrno],
        "open" | "openat" | "creat" | "unlink" | "remove" | "rename" | "mkdir" | "rmdir"
        | "access" | "chdir" | "link" | "symlink" | "chmod" | "truncate" => {
            &[ReadsFrom(0), TouchesWorld, SetsErrno]
        }
        "close" | "lseek" | "ftruncate" | "isatty" | "dup" | "dup2" | "fsync" | "fchmod" => {
            &[TouchesWorld, SetsErrno]
        }
        "read" | "pread" => &[Writes(1), TouchesWorld, SetsErrno],
        "write" | "pwrite" => &[Reads(1), TouchesWorld, SetsErrno],
        "stat" | "lstat" => &[Reads(0), Writes(1), TouchesWorld, SetsErrno],
        "fstat" => &[Writes(1), TouchesWorld, SetsErrno],
        _ => return None,
    })
}

fn others(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "errno_location" | "___errno_location" => &[ReturnsErrno],
        "qsort" => &[
            Reads(0),
            Writes(0),
            CopiesString { to: 0, from: 0 },
            CallsBack {
                function: 3,
                with: [0, 0],
            },
        ],
        "bsearch" => &[
            Reads(0),
            Reads(1),
            ReturnsInto(1),
            CallsBack {
                function: 4,
                with: [0, 1],
            },
        ],
        "time" => &[Writes(0), ReadsWorld],
        "clock" | "getpid" | "getuid" | "geteuid" | "getgid" | "getegid" => &[ReadsWorld],
        // They also set the time zone.
        "localtime" | "gmtime" => &[
            Reads(0),
            ReadsArea(Time),
            WritesArea(Time),
            ReturnsArea(Time),
            ReadsArea(Variables),
            SetsErrno,
        ],
        "localtime_r" | "gmtime_r" => &[
            Reads(0),
            ReadsArea(Time),
            WritesArea(Time),
            Writes(1),
            ReturnsInto(1),
            ReadsArea(Variables),
            SetsErrno,
        ],
        "mktime" | "timegm" => &[
            Reads(0),
            Writes(0),
            ReadsArea(Time),
            WritesArea(Time),
            ReadsArea(Variables),
            SetsErrno,
        ],
        "difftime" => &[],
        "strftime" => &[
            Writes(0),
            Reads(2),
            Reads(3),
            ReadsArea(Locale),
            ReadsArea(Time),
        ],
        "getenv" => &[Reads(0), ReadsArea(Variables), ReturnsVariable],
        "setenv" | "unsetenv" => &[
            Reads(0),
            Reads(1),
            WritesArea(Variables),
            ReadsArea(Variables),
            SetsErrno,
        ],
        "setlocale" => &[
            Reads(1),
            ReadsArea(Locale),
            WritesArea(Locale),
            ReturnsArea(Locale),
        ],
        "strerror" => &[ReadsArea(Locale), ReturnsArea(Locale)],
        _ => return None,
    })
}
