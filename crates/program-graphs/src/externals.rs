//! What functions without a body do, as data.
//!
//! A whole program has few: what the machine provides (the allocator, block copies, the
//! system-call gate, non-local jumps) and, in programs that were not linked with a libc,
//! the libc functions listed here. Anything else is unknown and treated as such.

use crate::CallControl;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The result points to a new object.
    Allocates,
    /// Stores a pointer to a new object through the argument.
    AllocatesInto(u32),
    /// The result may be the argument, or point into the same object.
    ReturnsInto(u32),
    /// Reads from where the argument points on.
    Reads(u32),
    /// Writes from where the argument points on.
    Writes(u32),
    /// Copies memory, pointers included.
    Copies {
        to: u32,
        from: u32,
        length: u32,
    },
    /// Copies memory up to an unknown length.
    CopiesString {
        to: u32,
        from: u32,
    },
    /// Stores a pointer into the object of one argument through another.
    StoresPointer {
        through: u32,
        into: u32,
    },
    /// Copies the old object into the new one (`realloc`).
    CopiesIntoResult(u32),
    /// A system call: all arguments, number first.
    SystemCall,
    /// What the machine keeps as the thread pointer, set and read.
    SetsThreadPointer(u32),
    ReturnsThreadPointer,
    /// Goes back to where a `setjmp` returned.
    JumpsBack,
    /// Reads and changes files, streams or the clock.
    TouchesWorld,
    /// Calls the function that the argument points to, with pointers into the objects
    /// that these arguments point to.
    CallsBack {
        function: u32,
        with: [u32; 2],
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExternalModel {
    pub control: CallControl,
    pub effects: &'static [Effect],
}

/// The model of a function without a body; `None` if it is unknown.
pub fn external_model(name: &str) -> Option<ExternalModel> {
    use Effect::*;
    let returns = |effects| {
        Some(ExternalModel {
            control: CallControl::Returns,
            effects,
        })
    };
    match name {
        "malloc"
        | "calloc"
        | "aligned_alloc"
        | "memalign"
        | "valloc"
        | "pvalloc"
        | "_Znwm"
        | "_Znam"
        | "__rust_alloc"
        | "__rust_alloc_zeroed" => returns(&[Allocates]),
        "realloc" | "reallocarray" | "__rust_realloc" => {
            returns(&[Allocates, ReturnsInto(0), CopiesIntoResult(0)])
        }
        "posix_memalign" => returns(&[AllocatesInto(0)]),
        "strdup" | "strndup" => returns(&[Allocates, CopiesIntoResult(0)]),
        "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "__rust_dealloc"
        | "malloc_usable_size" => returns(&[]),
        "memcpy" | "memmove" | "mempcpy" | "__memcpy_chk" | "__memmove_chk" => returns(&[
            ReturnsInto(0),
            Copies {
                to: 0,
                from: 1,
                length: 2,
            },
        ]),
        "bcopy" => returns(&[Copies {
            to: 1,
            from: 0,
            length: 2,
        }]),
        "strcpy" | "strncpy" | "stpcpy" | "stpncpy" | "strcat" | "strncat" => {
            returns(&[ReturnsInto(0), Reads(0), CopiesString { to: 0, from: 1 }])
        }
        "memset" | "__memset_chk" => returns(&[ReturnsInto(0), Writes(0)]),
        "bzero" => returns(&[Writes(0)]),
        "memcmp" | "bcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll"
        | "strspn" | "strcspn" => returns(&[Reads(0), Reads(1)]),
        "strlen" | "strnlen" | "atoi" | "atol" | "atoll" | "atof" => returns(&[Reads(0)]),
        "memchr" | "memrchr" | "rawmemchr" | "strchr" | "strrchr" | "strchrnul" | "index"
        | "rindex" => returns(&[Reads(0), ReturnsInto(0)]),
        "strstr" | "strpbrk" | "strcasestr" | "memmem" => {
            returns(&[Reads(0), Reads(1), ReturnsInto(0)])
        }
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" => returns(&[
            Reads(0),
            StoresPointer {
                through: 1,
                into: 0,
            },
        ]),
        "qsort" => returns(&[
            Reads(0),
            Writes(0),
            CopiesString { to: 0, from: 0 },
            CallsBack {
                function: 3,
                with: [0, 0],
            },
        ]),
        "bsearch" => returns(&[
            Reads(0),
            Reads(1),
            ReturnsInto(1),
            CallsBack {
                function: 4,
                with: [0, 1],
            },
        ]),
        "printf" | "puts" | "putchar" | "putc" | "fputc" | "fputs" | "fprintf" | "fwrite"
        | "perror" | "fflush" => returns(&[
            Reads(0),
            Reads(1),
            Reads(2),
            Reads(3),
            Reads(4),
            Reads(5),
            TouchesWorld,
        ]),
        "getchar" | "time" | "clock" | "rand" | "getpid" => returns(&[TouchesWorld]),
        "sqrt" | "sin" | "cos" | "tan" | "exp" | "log" | "log2" | "log10" | "pow" | "fabs"
        | "floor" | "ceil" | "fmod" | "ldexp" | "round" | "trunc" | "abs" | "labs" | "isalpha"
        | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "isprint" | "ispunct"
        | "isxdigit" | "toupper" | "tolower" => returns(&[]),
        "__parallax_thread_pointer" => returns(&[ReturnsThreadPointer]),
        "__parallax_set_thread_pointer" => returns(&[SetsThreadPointer(0)]),
        "_Unwind_Backtrace" => returns(&[]),
        "__parallax_syscall" | "syscall" => returns(&[SystemCall]),
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Some(ExternalModel {
            control: CallControl::ReturnsTwice,
            effects: &[Writes(0)],
        }),
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Some(ExternalModel {
            control: CallControl::NeverReturns,
            effects: &[Reads(0), JumpsBack],
        }),
        "exit" | "_exit" | "_Exit" | "abort" | "quick_exit" | "__assert_fail"
        | "__stack_chk_fail" | "__cxa_throw" | "__cxa_rethrow" | "_Unwind_Resume" => {
            Some(ExternalModel {
                control: CallControl::NeverReturns,
                effects: &[TouchesWorld],
            })
        }
        _ => None,
    }
}
