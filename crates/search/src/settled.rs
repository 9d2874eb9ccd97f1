//! How much of the input space is settled: Böhme's partial guarantee (§3.1), as a number.
//!
//! A search that is stopped has proved some partitions equal and some different; the rest is open. What share of the
//! inputs within the bounds each of the three has depends on how inputs are weighed. Here **every shape counts the same**, and
//! within a shape every input. Were all inputs weighed alike, the longest shape would decide alone: of the
//! inputs of up to eight bytes, 99.6% have eight.
//!
//! | method | when |
//! |---|---|
//! | [`Method::Complete`] | everything was explored, and all of it is equal |
//! | [`Method::Counted`] | the conditions of each partition, and of each pruned way, could be counted exactly |
//! | [`Method::Sampled`] | otherwise: random inputs are followed through the tree of paths, without running them, and counted by where they end |
//!
//! A uniformly chosen input is rarely one that a user would give: for a parser, nearly all inputs are errors. So a share
//! says how many inputs are settled, not how much of the program's behaviour is.

/// How the shares were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All is proved equal: there is nothing to estimate.
    Complete,
    /// Exact, apart from rounding.
    Counted,
    /// By so many random inputs.
    Sampled { inputs: u64 },
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Complete => "complete",
            Method::Counted => "counted",
            Method::Sampled { .. } => "sampled",
        }
    }
}

/// A share of the input space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Between 0 and 1.
    pub share: f64,
    /// Between which it lies with 95% confidence; both are the share itself if it is exact.
    pub interval: (f64, f64),
}

impl Share {
    fn exactly(share: f64) -> Share {
        let share = share.clamp(0.0, 1.0);
        Share {
            share,
            interval: (share, share),
        }
    }
}

/// The input space by what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    pub method: Method,
    /// Proved equal.
    pub equal: Share,
    /// Every input differs.
    pub different: Share,
    /// Not explored, or not known.
    pub open: Share,
}

impl Settled {
    /// Everything was explored and is equal.
    pub fn complete() -> Settled {
        Settled {
            method: Method::Complete,
            ..Settled::counted(1.0, 0.0, true)
        }
    }

    /// Of exact shares. If everything was explored and is known, nothing is open.
    pub fn counted(equal: f64, different: f64, nothing_open: bool) -> Settled {
        // What rounding leaves is no open input.
        let open = match nothing_open {
            true => 0.0,
            false => 1.0 - equal - different,
        };
        Settled {
            method: Method::Counted,
            equal: Share::exactly(equal),
            different: Share::exactly(different),
            open: Share::exactly(open),
        }
    }

    /// Of the numbers of random inputs that were found in each; `None` if there were none.
    pub fn sampled(equal: u64, different: u64, open: u64) -> Option<Settled> {
        let inputs = equal + different + open;
        let share = |hits: u64| Share {
            share: hits as f64 / inputs as f64,
            interval: wilson(hits, inputs),
        };
        (inputs > 0).then(|| Settled {
            method: Method::Sampled { inputs },
            equal: share(equal),
            different: share(different),
            open: share(open),
        })
    }

    /// Half the width of the widest interval.
    pub fn uncertainty(&self) -> f64 {
        let widths = [self.equal, self.different, self.open].map(|share| {
            let (low, high) = share.interval;
            (high - low) / 2.0
        });
        widths.into_iter().fold(0.0, f64::max)
    }
}

/// The 0.975 quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval of a proportion, with 95% confidence.
pub fn wilson(hits: u64, of: u64) -> (f64, f64) {
    let (hits, of) = (hits as f64, of as f64);
    let share = hits / of;
    let square = Z * Z;
    let centre = (share + square / (2.0 * of)) / (1.0 + square / of);
    let deviation = share * (1.0 - share) / of + square / (4.0 * of * of);
    let half = Z * deviation.sqrt() / (1.0 + square / of);
    // Rounding must not exclude what was seen.
    let low = (centre - half).clamp(0.0, share);
    (low, (centre + half).clamp(share, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::SplitMix;

    #[test]
    fn wilson_intervals_hold_as_often_as_they_say() {
        let mut random = SplitMix(11);
        for share in [0.001, 0.02, 0.3, 0.5, 0.97] {
            let rounds = 400;
            let mut held = 0;
            for _ in 0..rounds {
                let limit = (share * f64::from(u32::MAX)) as usize;
                let hits = (0..2000).filter(|_| random.below(u32::MAX as usize) < limit);
                let (low, high) = wilson(hits.count() as u64, 2000);
                held += u32::from(low <= share && share <= high);
            }
            assert!(held >= rounds * 91 / 100, "{share}: {held} of {rounds}");
        }
        assert_eq!(wilson(0, 100).0, 0.0);
        assert!(wilson(0, 100).1 > 0.03);
        assert_eq!(wilson(100, 100).1, 1.0);
    }

    #[test]
    fn rounding_leaves_nothing_open() {
        assert_eq!(Settled::counted(0.1 + 0.2, 0.7, true).open.share, 0.0);
        let part = Settled::counted(0.25, 0.5, false);
        assert_eq!((part.open.share, part.uncertainty()), (0.25, 0.0));
        assert_eq!(Settled::sampled(0, 0, 0), None);
    }
}
