//! What a call leaves behind in the C library and with the system: it is neither memory of the versions nor output, and what
//! comes after the call may depend on it.
//!
//! A driver asks for it, with functions that only drivers have whose versions call something that changes it (`kept.c`): some of
//! these questions, as for the handlers of signals, would keep ways of other programs from being pruned. What nobody can ask for
//! is not compared, and that is said.

use std::collections::BTreeSet;

/// The functions of the driver that ask.
pub(crate) const SOURCE: &str = include_str!("kept.c");

/// Something that the C library or the system keeps.
pub(crate) struct Kept {
    /// In words.
    pub(crate) what: &'static str,
    /// The driver's function that writes it, and its file.
    pub(crate) function: &'static str,
    /// That function writes an `int`; others write a text.
    pub(crate) is_number: bool,
    /// What changes it: functions of the C library, and its variables.
    changed_by: &'static [&'static str],
}

pub(crate) const ALL: &[Kept] = &[
    Kept {
        what: "rest of standard input",
        function: "parallax_kept_input",
        is_number: false,
        changed_by: &[
            "stdin",
            "getchar",
            "getchar_unlocked",
            "gets",
            "scanf",
            "vscanf",
            "read",
            "readv",
            "getwchar",
            "wscanf",
        ],
    },
    Kept {
        what: "next random number",
        function: "parallax_kept_random",
        is_number: true,
        changed_by: &[
            "rand",
            "srand",
            "random",
            "srandom",
            "initstate",
            "setstate",
        ],
    },
    Kept {
        what: "environment",
        function: "parallax_kept_environment",
        is_number: false,
        changed_by: &["setenv", "unsetenv", "putenv", "clearenv", "environ"],
    },
    Kept {
        what: "locale",
        function: "parallax_kept_locale",
        is_number: false,
        changed_by: &["setlocale", "uselocale"],
    },
    Kept {
        what: "table of signal handlers",
        function: "parallax_kept_signals",
        is_number: false,
        changed_by: &[
            "signal",
            "sigaction",
            "sigset",
            "sigignore",
            "bsd_signal",
            "sysv_signal",
        ],
    },
    Kept {
        what: "list of open files",
        function: "parallax_kept_files",
        is_number: false,
        changed_by: &[
            "open",
            "openat",
            "creat",
            "close",
            "dup",
            "dup2",
            "dup3",
            "pipe",
            "pipe2",
            "fopen",
            "fdopen",
            "freopen",
            "fclose",
            "opendir",
            "fdopendir",
            "closedir",
            "tmpfile",
            "mkstemp",
            "mkostemp",
            "popen",
            "pclose",
            "socket",
            "accept",
            "lseek",
            "lseek64",
            "fcntl",
            "epoll_create",
            "epoll_create1",
            "eventfd",
            "memfd_create",
            "fcloseall",
            "closefrom",
        ],
    },
    Kept {
        what: "file creation mask",
        function: "parallax_kept_mask",
        is_number: false,
        changed_by: &["umask"],
    },
    Kept {
        what: "state of getopt",
        function: "parallax_kept_options",
        is_number: false,
        changed_by: &[
            "getopt",
            "getopt_long",
            "getopt_long_only",
            "optind",
            "opterr",
            "optopt",
            "optarg",
        ],
    },
];

/// What nobody can ask for, by what changes it.
const UNKNOWN: &[(&str, &[&str])] = &[
    ("where `strtok` goes on", &["strtok"]),
    (
        "timers",
        &[
            "alarm",
            "ualarm",
            "setitimer",
            "timer_create",
            "timer_settime",
        ],
    ),
    (
        "the buffers of streams",
        &[
            "setvbuf",
            "setbuf",
            "setbuffer",
            "setlinebuf",
            "freopen",
            "fwide",
        ],
    ),
    (
        "the next random number of `drand48` and its relatives",
        &[
            "drand48", "lrand48", "mrand48", "srand48", "seed48", "lcong48",
        ],
    ),
    (
        "which signals are blocked",
        &["sigprocmask", "pthread_sigmask", "sighold", "sigrelse"],
    ),
    (
        "limits and rights of the process",
        &[
            "setrlimit",
            "prlimit",
            "nice",
            "setpriority",
            "setuid",
            "seteuid",
            "setreuid",
            "setresuid",
            "setgid",
            "setegid",
            "setregid",
            "setresgid",
            "setgroups",
            "chroot",
            "setsid",
            "setpgid",
        ],
    ),
    (
        "the table of `hsearch`",
        &["hsearch", "hcreate", "hdestroy"],
    ),
    ("the time zone", &["tzset"]),
    (
        "how far the files of users, groups and hosts were read",
        &[
            "getpwent",
            "setpwent",
            "endpwent",
            "getgrent",
            "setgrent",
            "endgrent",
            "gethostent",
            "getmntent",
        ],
    ),
    (
        "the state of conversions of wide characters",
        &["mbtowc", "wctomb", "mblen", "mbrtowc", "wcrtomb", "mbrlen"],
    ),
];

/// What of the C library the versions use, by name: without the underscores that it has inside.
pub(crate) fn used<'u>(uses: &'u BTreeSet<String>, by: &[&str]) -> Option<&'u str> {
    let mut uses = uses.iter().map(|name| name.trim_start_matches('_'));
    uses.find(|name| by.contains(name))
}

impl Kept {
    /// Whether one of the versions may change it.
    pub(crate) fn is_changed(&self, uses: &BTreeSet<String>) -> bool {
        used(uses, self.changed_by).is_some()
    }
}

/// Functions that return memory of the C library, which an earlier result points to, too.
const STATIC: &[&str] = &[
    "gmtime",
    "localtime",
    "ctime",
    "asctime",
    "strerror",
    "strsignal",
    "inet_ntoa",
    "getpwnam",
    "getpwuid",
    "getgrnam",
    "getgrgid",
    "ttyname",
    "getlogin",
    "crypt",
    "ecvt",
    "fcvt",
    "tmpnam",
    "l64a",
    "nl_langinfo",
    "localeconv",
    "readdir",
    "dlerror",
    "ptsname",
];

/// One that may be called.
pub(crate) fn static_memory(uses: &BTreeSet<String>) -> Option<&str> {
    used(uses, STATIC)
}

/// Whether a caller may look at `errno` behind a function of the C library.
pub(crate) fn may_set_errno(name: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    let is_number = begins(&["strto"]);
    let is_quiet = begins(&[
        "mem",
        "str",
        "is",
        "to",
        "qsort",
        "bsearch",
        "abs",
        "labs",
        "free",
        "malloc",
        "calloc",
        "realloc",
        "printf",
        "sprintf",
        "snprintf",
        "vprintf",
        "vsnprintf",
        "put",
        "get",
        "rand",
        "srand",
        "exit",
        "abort",
        "atexit",
        "_",
    ]);
    let is_variable = [
        "stdin", "stdout", "stderr", "environ", "optind", "optarg", "opterr", "optopt",
    ]
    .contains(&name);
    is_number || !is_quiet && !is_variable && !name.starts_with("llvm.")
}

/// What cannot be compared after a call that uses some names of the C library.
pub(crate) fn unknown(uses: &BTreeSet<String>) -> impl Iterator<Item = String> {
    UNKNOWN.iter().filter_map(|(what, by)| {
        let name = used(uses, by)?;
        Some(format!("{what}, which `{name}` changes"))
    })
}
