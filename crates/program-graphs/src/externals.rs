//! What functions without a body do, as data.
//!
//! A whole program has few: what the machine provides (the allocator, block copies, the
//! system-call gate, non-local jumps). A program without its C library (`library`), or one
//! that was never linked with it, has many more: those of `c_library` are known by what
//! the standard says about them. Anything else is unknown and treated as such.

mod c_library;

use crate::CallControl;

/// What the C library keeps between calls, in parts that do not influence each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LibraryArea {
    /// `errno`.
    ErrorNumber,
    Locale,
    /// Of `rand` and its kin.
    Random,
    /// What `localtime` and its kin return, and the time zone.
    Time,
    /// Where `strtok` goes on.
    Token,
    /// The table of environment variables.
    Variables,
    /// Which blocks of the heap are there: what frees them changes it, and a driver that asks what a pointer points to reads it.
    Blocks,
}

impl LibraryArea {
    pub const ALL: [LibraryArea; 7] = [
        LibraryArea::ErrorNumber,
        LibraryArea::Locale,
        LibraryArea::Random,
        LibraryArea::Time,
        LibraryArea::Token,
        LibraryArea::Variables,
        LibraryArea::Blocks,
    ];
}

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
    /// The same for this argument and all after it.
    ReadsFrom(u32),
    WritesFrom(u32),
    /// Reads (writes) everything that can be reached from the argument.
    ReadsDeep(u32),
    WritesDeep(u32),
    /// Takes arguments as the format (a parameter by number) says, which are passed after
    /// it: writes through them only where it says `%n`.
    Formats(u32),
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
    /// Only reads them.
    ReadsWorld,
    /// Puts something out on the stream that the argument points to. That this succeeds
    /// is taken for granted, so the stream is changed but not asked.
    WritesStream(u32),
    /// The same for the stream of this name.
    WritesNamedStream(&'static str),
    /// Takes something from the stream, or asks for its state.
    ReadsStream(u32),
    ReadsNamedStream(&'static str),
    ReadsArea(LibraryArea),
    WritesArea(LibraryArea),
    /// May set `errno`.
    SetsErrno,
    /// The result points to `errno`.
    ReturnsErrno,
    /// The argument is where `errno` is from now on.
    PlacesErrno(u32),
    /// The result points into what the library keeps.
    ReturnsArea(LibraryArea),
    /// Remembers the argument; the result may point into its object, or into that of an
    /// earlier call's.
    RemembersAndReturns(u32),
    /// The result points to an environment variable.
    ReturnsVariable,
    /// The result points to some variable of static storage, which is found by its symbol.
    ReturnsStatic,
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
    // The library calls its own functions by reserved names.
    of_name(name).or_else(|| of_name(name.strip_prefix("__")?))
}

/// Whether the function puts something out on a stream, and does no more to the program's
/// memory.
pub fn is_output(name: &str) -> bool {
    external_model(name).is_some_and(|model| {
        let writes = |effect: &Effect| {
            matches!(
                effect,
                Effect::WritesStream(_) | Effect::WritesNamedStream(_)
            )
        };
        model.effects.iter().any(writes)
    })
}

fn of_name(name: &str) -> Option<ExternalModel> {
    let (control, effects) = machine(name).or_else(|| c_library::functions(name))?;
    Some(ExternalModel { control, effects })
}

/// What the machine itself provides.
fn machine(name: &str) -> Option<(CallControl, &'static [Effect])> {
    use Effect::*;
    let returns = |effects: &'static [Effect]| Some((CallControl::Returns, effects));
    match name {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" | "pvalloc" => {
            returns(&[Allocates, SetsErrno])
        }
        "_Znwm" | "_Znam" | "__rust_alloc" | "__rust_alloc_zeroed" => returns(&[Allocates]),
        "realloc" | "reallocarray" => returns(&[
            Allocates,
            ReturnsInto(0),
            CopiesIntoResult(0),
            WritesArea(LibraryArea::Blocks),
            SetsErrno,
        ]),
        "__rust_realloc" => returns(&[
            Allocates,
            ReturnsInto(0),
            CopiesIntoResult(0),
            WritesArea(LibraryArea::Blocks),
        ]),
        "posix_memalign" => returns(&[AllocatesInto(0)]),
        "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "__rust_dealloc" => {
            returns(&[WritesArea(LibraryArea::Blocks)])
        }
        "malloc_usable_size" => returns(&[]),
        "memcpy" | "memmove" | "mempcpy" | "__memcpy_chk" | "__memmove_chk" => returns(&[
            ReturnsInto(0),
            Copies {
                to: 0,
                from: 1,
                length: 2,
            },
        ]),
        "memset" | "__memset_chk" => returns(&[ReturnsInto(0), Writes(0)]),
        "__parallax_thread_pointer" => returns(&[ReturnsThreadPointer]),
        "__parallax_set_thread_pointer" => returns(&[SetsThreadPointer(0)]),
        "__parallax_errno_place" => returns(&[PlacesErrno(0)]),
        "__parallax_unsupported" => returns(&[Reads(0)]),
        "__parallax_object" => returns(&[Writes(1), ReadsArea(LibraryArea::Blocks)]),
        "__parallax_holds_pointer" => returns(&[Reads(0), ReadsArea(LibraryArea::Blocks)]),
        "__parallax_static" => returns(&[Reads(0), ReturnsStatic]),
        "parallax_symbolic" => returns(&[Writes(0), Reads(2)]),
        "_Unwind_Backtrace" => returns(&[]),
        "__parallax_syscall" | "syscall" => returns(&[SystemCall]),
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => {
            Some((CallControl::ReturnsTwice, &[Writes(0)]))
        }
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => {
            Some((CallControl::NeverReturns, &[Reads(0), JumpsBack]))
        }
        "__stack_chk_fail" | "__cxa_throw" | "__cxa_rethrow" | "_Unwind_Resume" => {
            Some((CallControl::NeverReturns, &[TouchesWorld]))
        }
        _ => None,
    }
}
