//! How much time each way of making inputs may take, by success.
//!
//! The order of `dart` has a part of its own ([`crate::auto`]); this is about the rest. There, solving flips goes on all
//! the time. Looks of propagation, inputs of [`crate::splice`] and comparisons that are hard for the solver cost
//! very differently, so they share *time* and not turns. At first each may have a fifth, and flips two. Later its part is
//! that of its success: what its runs were worth for each second, against the others. Without success it goes down to
//! [`LEAST`]; only one that earns more than the others has more than that, up to [`MOST`].
//!
//! A job that would take more than is due waits. So with these the turns of a search depend on the clock, and two
//! searches alike may come to the same partitions in another order.

use std::time::Duration;

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A flip in a turn that the order of `dart` was not owed. Seeds and all else that is always run, and the turns of that
    /// order, are not counted.
    Flips,
    Propagation,
    Splices,
    /// A comparison that the solver has not decided quickly.
    Comparisons,
}

const SOURCES: usize = 4;
pub const LEAST: f64 = 1.0 / 16.0;
pub const MOST: f64 = 0.75;
/// What each is taken to have earned in a first second.
const PRIOR: [f64; SOURCES] = [2.0, 1.0, 1.0, 1.0];
/// What a job is taken to cost before the first, in seconds. The first look has to learn about the change.
const FIRST_COST: [f64; SOURCES] = [0.0, 0.1, 0.02, 0.0];

#[derive(Clone, Copy, Debug, Default)]
struct Account {
    jobs: f64,
    spent: f64,
    earned: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Shares([Account; SOURCES]);

impl Shares {
    /// A job of a source took so long.
    pub fn spend(&mut self, source: Source, time: Duration) {
        let account = &mut self.0[source as usize];
        account.jobs += 1.0;
        account.spent += time.as_secs_f64();
    }

    /// What a run was worth, between 0 and 1; may be told in parts.
    pub fn earn(&mut self, source: Source, worth: f64) {
        self.0[source as usize].earned += worth;
    }

    pub fn spent(&self, source: Source) -> Duration {
        Duration::from_secs_f64(self.0[source as usize].spent)
    }

    /// The part of all time that a source may have.
    pub fn part(&self, source: Source) -> f64 {
        let rate = |place: usize| {
            let account = &self.0[place];
            (account.earned + PRIOR[place]) / (account.spent + 1.0)
        };
        let all: f64 = (0..SOURCES).map(rate).sum();
        (rate(source as usize) / all).clamp(LEAST, MOST)
    }

    /// Whether another job of a source would leave it within its part.
    pub fn is_due(&self, source: Source) -> bool {
        let account = &self.0[source as usize];
        let mean = account.spent / account.jobs.max(1.0);
        let cost = match account.jobs {
            0.0 => FIRST_COST[source as usize],
            _ => mean,
        };
        let all: f64 = self.0.iter().map(|account| account.spent).sum();
        account.spent + cost <= self.part(source) * (all + cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of the time that looks take if each costs 50 ms and a flip 2 ms.
    fn part_of_looks(worth_of_look: f64, worth_of_flip: f64) -> f64 {
        let mut shares = Shares::default();
        for _ in 0..20_000 {
            match shares.is_due(Source::Propagation) {
                true => {
                    shares.spend(Source::Propagation, Duration::from_millis(50));
                    shares.earn(Source::Propagation, worth_of_look);
                }
                false => {
                    shares.spend(Source::Flips, Duration::from_millis(2));
                    shares.earn(Source::Flips, worth_of_flip);
                }
            }
            let spent = |source| shares.spent(source).as_secs_f64();
            let all = spent(Source::Propagation) + spent(Source::Flips);
            let most = if worth_of_look > 0.0 { MOST } else { 0.2 };
            assert!(spent(Source::Propagation) <= most * all + 1e-9);
        }
        let spent = |source| shares.spent(source).as_secs_f64();
        spent(Source::Propagation) / (spent(Source::Propagation) + spent(Source::Flips))
    }

    #[test]
    fn time_goes_where_it_pays_and_a_fifth_is_the_most_without_success() {
        let useless = part_of_looks(0.0, 0.01);
        assert!((LEAST / 2.0..=LEAST * 1.1).contains(&useless), "{useless}");
        let useful = part_of_looks(1.0, 0.001);
        assert!(useful > 0.5, "{useful}");
        let alike = part_of_looks(0.25, 0.01);
        assert!((0.2..0.6).contains(&alike), "{alike}");
    }
}
