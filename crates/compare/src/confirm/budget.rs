//! How much is spent on making examples small.

use std::sync::atomic::{AtomicBool, Ordering};

use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;

use super::minimise::{Minimised, minimise};

/// How much may be spent on making inputs small. It is counted in instructions, so that the same call gives the
/// same examples.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// For each kind of difference.
    pub(crate) each: u64,
    /// What is left for all.
    pub(crate) left: u64,
}

/// What starting both processes counts, in instructions.
const STARTING: u64 = 50_000;

impl Budget {
    /// About a second at most.
    pub(crate) const SMALL: Budget = Budget {
        each: 30_000_000,
        left: 100_000_000,
    };
    /// A bound only for programs that run long.
    pub(crate) const LARGE: Budget = Budget {
        each: 20_000_000_000,
        left: u64::MAX,
    };

    /// A smaller input of one of the shapes that shows the same. `show` runs the versions on one, and says how many
    /// instructions that took and whether it shows the same; nothing if no process can be started with it.
    pub(crate) fn smaller(
        &mut self,
        input: &InputRecord,
        shapes: &[SymbolicInput],
        interrupt: &AtomicBool,
        mut show: impl FnMut(&InputRecord) -> Option<(u64, bool)>,
    ) -> Minimised {
        let each = self.each.min(self.left);
        let mut left = each;
        let small = minimise(input, |input| {
            if interrupt.load(Ordering::Relaxed) || left == 0 {
                return None;
            }
            let fits = |shape: &SymbolicInput| input.in_shape(shape).is_some();
            if !shapes.iter().any(fits) {
                return Some(false);
            }
            let Some((instructions, is_same)) = show(input) else {
                return Some(false);
            };
            left = left.saturating_sub(instructions + STARTING);
            Some(is_same)
        });
        self.left -= each - left;
        small
    }
}
