//! What the static facts take for granted. Every fact that rests on one carries it, so
//! that a caller can print it beside a verdict.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// Accesses stay inside the object that their address was computed from.
    NoOutOfBoundsAccess,
    /// Integer constants are not addresses of objects.
    ConstantsAreNotAddresses,
    /// A pointer is stored, loaded and computed with as a whole: values narrower than
    /// 64 bits carry no part of one.
    PointersAreNotCopiedInPieces,
    /// An integer that is used as an address is a pointer's own integer form, or that with
    /// constants added or masked; other arithmetic leads to an address only where it is
    /// done beside the conversion. Products, quotients, float arithmetic and differences
    /// of two pointers never do.
    ArithmeticKeepsNoAddress,
    /// Tables of differences of addresses are not used to compute addresses.
    NoRelativeAddressTables,
    /// An indirect call passes at least as many arguments as its target has parameters.
    IndirectCallsPassEnoughArguments,
    /// One thread; no handler runs because of a signal.
    NoConcurrency,
    /// The kernel stores no pointer of the program back into its memory.
    KernelStoresNoPointers,
    /// A call that can fail to return (it may exit, jump away or run forever) is taken
    /// to return, unless it never does.
    CallsThatMayNotReturnReturn,
    /// Unwinding past a call is only seen where the call says where to continue.
    NoOtherUnwinding,
    /// What one allocation returns does not depend on other allocations.
    AllocationsAreIndependent,
    /// Files, streams and the clock carry nothing from one system call to another.
    WorldIsIgnored,
    /// Putting something out on a stream succeeds, and what goes to standard output or
    /// standard error is not read back.
    OutputSucceeds,
    /// Behaves as the standard says for this name.
    ModelledExternal(String),
    /// No model: may read and write everything reachable from its arguments, keep
    /// pointers to it and call functions in it, and touches no other memory.
    UnknownExternal(String),
    /// Fails when executed, so it has no effect that later code sees.
    UnsupportedOperation(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Assumption::NoOutOfBoundsAccess => {
                "memory accesses stay inside the object their address was computed from"
            }
            Assumption::ConstantsAreNotAddresses => "integer constants are not addresses",
            Assumption::PointersAreNotCopiedInPieces => {
                "pointers are copied whole, not in pieces narrower than 64 bits"
            }
            Assumption::ArithmeticKeepsNoAddress => {
                "addresses are kept in integers only as they are, or with constants added or masked"
            }
            Assumption::NoRelativeAddressTables => {
                "tables of address differences are not used to compute addresses"
            }
            Assumption::IndirectCallsPassEnoughArguments => {
                "indirect calls pass at least as many arguments as their target takes"
            }
            Assumption::NoConcurrency => "one thread, and no signal handler runs",
            Assumption::KernelStoresNoPointers => {
                "system calls store no pointers into the program's memory"
            }
            Assumption::CallsThatMayNotReturnReturn => "a call that can return is taken to return",
            Assumption::NoOtherUnwinding => "only calls with a landing pad are unwound to",
            Assumption::AllocationsAreIndependent => {
                "the result of one allocation does not depend on other allocations"
            }
            Assumption::WorldIsIgnored => {
                "system calls do not influence each other through files or streams"
            }
            Assumption::OutputSucceeds => {
                "output to streams succeeds, and standard output is not read back"
            }
            Assumption::ModelledExternal(name) => {
                return write!(f, "external function {name} behaves as its standard says");
            }
            Assumption::UnknownExternal(name) => {
                return write!(
                    f,
                    "unknown external function {name} touches only memory reachable from its arguments"
                );
            }
            Assumption::UnsupportedOperation(what) => {
                return write!(f, "unsupported operation {what} does not continue");
            }
        };
        f.write_str(text)
    }
}

/// In a fixed order, without repeats.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assumptions {
    all: BTreeSet<Assumption>,
}

impl Assumptions {
    pub fn add(&mut self, assumption: Assumption) {
        self.all.insert(assumption);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Assumption> {
        self.all.iter()
    }

    pub fn contains(&self, assumption: &Assumption) -> bool {
        self.all.contains(assumption)
    }
}
