//! How native runs are kept from doing harm: in a sandbox, not at all by the user's word, or by not running anything.

use std::sync::OnceLock;

use sandbox::{Level, Walls};
pub use sandbox::{Missing, Remedy, Unavailable};

/// What a native run may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confinement {
    /// Only what this level allows.
    Kept(Level),
    /// Nothing is run: no sandbox can be had, and the user has not allowed to do without.
    Off(Unavailable),
}

impl Confinement {
    /// The best sandbox that can be had on this machine. It is looked for once in a process.
    pub fn found() -> Confinement {
        match walls() {
            Ok(walls) => Confinement::Kept(walls.level),
            Err(unavailable) => Confinement::Off(unavailable.clone()),
        }
    }

    /// No sandbox at all. Only for who was asked for it by the user.
    pub fn unconfined() -> Confinement {
        Confinement::Kept(Level::Unconfined)
    }

    /// Why nothing is run, if so.
    pub fn off(&self) -> Option<&Unavailable> {
        match self {
            Confinement::Kept(_) => None,
            Confinement::Off(why) => Some(why),
        }
    }
}

/// The best sandbox that can be had, and what is missing for a better one.
pub fn walls() -> &'static Result<Walls, Unavailable> {
    static WALLS: OnceLock<Result<Walls, Unavailable>> = OnceLock::new();
    WALLS.get_or_init(Walls::find)
}
