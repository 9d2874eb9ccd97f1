//! Statement instances, and how one depends on another.

/// One execution of one operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instance(pub u32);

impl Instance {
    /// The state before the first operation.
    pub const NONE: Instance = Instance(0);
}

/// An activation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Activation {
    /// The first register of its frame.
    pub(super) base: u32,
    /// In library code, the call of the program's own code that led there.
    pub(super) library_call: Option<Instance>,
}

/// A data dependence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The register in the register file, with a mark if it holds an address; or [`Edge::MEMORY`] or
    /// [`Edge::OPERATION`].
    pub(super) through: u32,
    pub writer: Instance,
}

impl Edge {
    /// A dependence that goes through no register.
    pub(super) const MEMORY: u32 = u32::MAX;
    /// The dependence of a stretch of bytes on the operation that copies or puts out all of them.
    pub(super) const OPERATION: u32 = u32::MAX - 1;
    /// Marks a register that holds the address of an access.
    pub(super) const ADDRESS: u32 = 1 << 31;

    /// The register that the dependence goes through, in the register file.
    #[inline]
    pub fn register(self) -> Option<u32> {
        (self.through < Edge::OPERATION).then_some(self.through & !Edge::ADDRESS)
    }

    /// Whether the register holds the address of an access.
    #[inline]
    pub fn is_address(self) -> bool {
        self.register().is_some() && self.through & Edge::ADDRESS != 0
    }

    /// Whether a stretch of bytes depends on the operation that copies or puts out all of them.
    #[inline]
    pub fn is_operation(self) -> bool {
        self.through == Edge::OPERATION
    }

    /// Whether this is where a value comes from, not where it lies.
    pub fn is_value(self) -> bool {
        self.through == Edge::MEMORY || self.through & Edge::ADDRESS == 0
    }
}
