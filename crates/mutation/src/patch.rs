//! A mutant as a unified diff, with a head that says what it is.

use crate::Mutant;

/// Lines around a change, as `diff -u` shows them.
const CONTEXT: usize = 3;

/// A mutant's text form.
pub struct Patch<'a> {
    pub mutant: &'a Mutant,
    pub source: &'a [u8],
    /// How the file is called in the patch, behind `a/` and `b/`.
    pub file: &'a str,
}

impl Patch<'_> {
    /// Three lines of head, which `patch` skips, and one hunk.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mutant = self.mutant;
        let function = mutant.function.as_deref().unwrap_or("none");
        let mut text = format!(
            "Mutant: {}\nOperator: {}\nPlace: {} line {}, function {function}\n",
            mutant.id(),
            mutant.operator,
            self.file.replace('\n', " "),
            mutant.line
        )
        .into_bytes();
        text.extend(self.diff());
        text
    }

    /// The diff alone. An edit touches whole lines, so the hunk is known without searching for one.
    fn diff(&self) -> Vec<u8> {
        let mutated = self.mutant.apply(self.source);
        let old: Vec<&[u8]> = self.source.split_inclusive(|byte| *byte == b'\n').collect();
        let new: Vec<&[u8]> = mutated.split_inclusive(|byte| *byte == b'\n').collect();
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new);
        let before = same.count();
        let rest = old[before..].iter().rev().zip(new[before..].iter().rev());
        let after = rest.take_while(|(old, new)| old == new).count();

        let first = before.saturating_sub(CONTEXT);
        let behind = after.min(CONTEXT);
        let (old_end, new_end) = (old.len() - after, new.len() - after);
        // A name with a blank ends at a tab.
        let tab = if self.file.contains(' ') { "\t" } else { "" };
        let mut text = format!(
            "--- a/{0}{tab}\n+++ b/{0}{tab}\n@@ -{1} +{2} @@\n",
            self.file,
            range(first, old_end + behind),
            range(first, new_end + behind)
        )
        .into_bytes();
        let mut push = |sign: u8, lines: &[&[u8]]| {
            for line in lines {
                text.push(sign);
                text.extend(*line);
                if !line.ends_with(b"\n") {
                    text.extend(b"\n\\ No newline at end of file\n");
                }
            }
        };
        push(b' ', &old[first..before]);
        push(b'-', &old[before..old_end]);
        push(b'+', &new[before..new_end]);
        push(b' ', &old[old_end..old_end + behind]);
        text
    }
}

/// `line,count` of a hunk; an empty one names the line before.
fn range(first: usize, end: usize) -> String {
    let line = if end == first { first } else { first + 1 };
    format!("{line},{}", end - first)
}
