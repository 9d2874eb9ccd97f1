//! Where answers change along a line of versions.
//!
//! Versions are numbered from 0, the oldest. An *answer* is what a version does on the input in question; one that
//! cannot be built or run gives none and is passed over, and the bounds of what is found say so.

/// Between `before` and `after` the answer is another. All versions between the two gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerChange<A> {
    pub before: usize,
    pub after: usize,
    pub old: A,
    pub new: A,
}

impl<A> AnswerChange<A> {
    /// Whether it is known which version brought the new answer.
    pub fn is_exact(&self) -> bool {
        self.after == self.before + 1
    }
}

/// Asks every version, and lists all changes in order.
pub fn every_step<A: Clone + PartialEq, E>(
    last: usize,
    mut ask: impl FnMut(usize) -> Result<Option<A>, E>,
) -> Result<Vec<AnswerChange<A>>, E> {
    let mut steps = Vec::new();
    let mut known: Option<(usize, A)> = None;
    for number in 0..=last {
        let Some(new) = ask(number)? else { continue };
        if let Some((before, old)) = known.take()
            && old != new
        {
            steps.push(AnswerChange {
                before,
                after: number,
                old,
                new: new.clone(),
            });
        }
        known = Some((number, new));
    }
    Ok(steps)
}

/// Halves the line until the last version's answer is not to be traced back further. `None` if the first and the last
/// version answer the same; both must give an answer, which is the caller's to see to.
///
/// Of several changes this finds one after which the last answer holds; that no other lies between is not said.
pub fn one_step<A: Clone + PartialEq, E>(
    last: usize,
    mut ask: impl FnMut(usize) -> Result<Option<A>, E>,
) -> Result<Option<AnswerChange<A>>, E> {
    let (Some(mut old), Some(new)) = (ask(0)?, ask(last)?) else {
        return Ok(None);
    };
    if old == new {
        return Ok(None);
    }
    let (mut before, mut after) = (0, last);
    let mut silent = vec![false; last + 1];
    while let Some(middle) = nearest_to_middle(before, after, &silent) {
        match ask(middle)? {
            None => silent[middle] = true,
            Some(answer) if answer == new => after = middle,
            Some(answer) => {
                before = middle;
                old = answer;
            }
        }
    }
    Ok(Some(AnswerChange {
        before,
        after,
        old,
        new,
    }))
}

/// The version strictly between the two that lies nearest to the middle, of those that may give an answer.
fn nearest_to_middle(before: usize, after: usize, silent: &[bool]) -> Option<usize> {
    let middle = before + (after - before) / 2;
    (before + 1..after)
        .filter(|&number| !silent[number])
        .min_by_key(|&number| number.abs_diff(middle))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Digits are answers, `x` is a version without one.
    fn asked<'t>(
        line: &'t str,
        times: &'t mut usize,
    ) -> impl FnMut(usize) -> Result<Option<u8>, Infallible> + 't {
        move |number| {
            *times += 1;
            let answer = line.as_bytes()[number];
            Ok((answer != b'x').then_some(answer))
        }
    }

    #[test]
    fn the_halves_find_what_asking_every_version_finds() {
        // Every line of up to nine versions whose ends answer, over two answers and none.
        for length in 2..=9_u32 {
            for code in 0..3_usize.pow(length) {
                let digit = |at: u32| ["0", "1", "x"][code / 3_usize.pow(at) % 3];
                let line: String = (0..length).map(digit).collect();
                if line.starts_with('x') || line.ends_with('x') {
                    continue;
                }
                let last = line.len() - 1;
                let (mut all, mut few) = (0, 0);
                let every = every_step(last, asked(&line, &mut all)).unwrap();
                let one = one_step(last, asked(&line, &mut few)).unwrap();
                match one {
                    None => assert_eq!(line.as_bytes()[0], line.as_bytes()[last], "{line}"),
                    Some(one) => assert!(every.contains(&one), "{line}: {one:?}"),
                }
                assert!(few <= all, "{line}");
            }
        }
    }

    #[test]
    fn a_long_line_takes_few_questions() {
        let line = format!("{}{}", "0".repeat(700), "1".repeat(324));
        let mut times = 0;
        let step = one_step(line.len() - 1, asked(&line, &mut times)).unwrap();
        let step = step.unwrap();
        assert_eq!((step.before, step.after), (699, 700));
        assert!(step.is_exact());
        assert!(times <= 2 + 10, "{times}");
    }

    #[test]
    fn versions_without_an_answer_widen_the_bounds() {
        let line = "00xx11";
        for steps in [
            every_step(5, asked(line, &mut 0)).unwrap(),
            one_step(5, asked(line, &mut 0))
                .unwrap()
                .into_iter()
                .collect(),
        ] {
            let [step] = &steps[..] else {
                panic!("{steps:?}")
            };
            assert_eq!((step.before, step.after), (1, 4));
            assert!(!step.is_exact());
        }
    }
}
