//! The changed statements of a function, placed in its source text.
//!
//! What changed is decided by the compiled code; where it is shown, by the text, since a
//! compiler keeps no line for much of what is written: the assignment of a constant, a
//! `break`, an `else`. A changed instruction points at a line. If that line is part of a
//! stretch where the texts differ, the stretch is shown. If its text is the same, then
//! 1. a definition elsewhere explains it (`causes`), or
//! 2. a stretch that assigns a variable on which the line depends explains it, or
//! 3. another stretch of the function does, if no instruction points there, or
//! 4. the text does not tell, and the difference is told in words (`operation_words`).
//!
//! Differing lines that no change needs (renamed variables, split declarations) are left
//! out. A line that went from one place to another is shown as moved.

use super::causes::Causes;
use super::line_match::{Hunk, LineMatch, match_lines, only_renames};
use super::operation_words::{Side, difference};
use super::text::{Text, is_name};
use super::{LineReport, StatementReport};
use crate::changes::FunctionChange;
use crate::compare::ChangeKind;
use crate::statements::{Place, StatementKind, places};
use program_graphs::{Cfg, Dominators, Loops};
use program_ir::{DebugType, DebugTypeData, Function, Inst, InstData, Module, Scope, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// A source function in both versions. Code of it may be inlined into several bodies.
pub(super) struct SourceFunction<'a> {
    pub(super) old: &'a SourceSide<'a>,
    pub(super) new: &'a SourceSide<'a>,
}

pub(super) struct SourceSide<'a> {
    pub(super) text: &'a Text,
    /// The line of its name.
    pub(super) first: u32,
    /// A line of its file, to make others of.
    pub(super) file: LineReport,
}

impl SourceSide<'_> {
    /// Whether a line stands before the body.
    fn is_header(&self, line: u32) -> bool {
        let opens = |line: &u32| self.text.line(*line).iter().any(|token| token == "{");
        let open = self.text.body(self.first).find(opens);
        open.is_some_and(|open| line <= open)
    }
}

/// The body that was compared, with what is asked of it often.
pub(super) struct ChangedBody<'a> {
    pub(super) change: &'a FunctionChange,
    pub(super) old: BodySide<'a>,
    pub(super) new: BodySide<'a>,
}

pub(super) struct BodySide<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) places: SecondaryMap<Inst, Option<Place>>,
}

impl<'a> BodySide<'a> {
    pub(super) fn of(module: &'a Module, function: &'a Function) -> Self {
        BodySide {
            module,
            function,
            places: places(module, function),
        }
    }

    fn side(&self) -> Side<'a> {
        Side {
            module: self.module,
            function: self.function,
        }
    }

    /// The source function that an instruction stands in.
    pub(super) fn source_scope(&self, inst: Inst) -> Option<Scope> {
        let scope = self.places[inst]?.scope;
        source_function(self.module, scope)
    }

    /// How many loops are around the code on a line.
    fn loop_depth(&self, scope: Scope, line: u32) -> u32 {
        let cfg = Cfg::of(self.function);
        let loops = Loops::of(&cfg, &Dominators::of(&cfg));
        let mut deepest = 0;
        for (block, data) in self.function.blocks.iter() {
            let here = |inst: &Inst| {
                self.places[*inst].is_some_and(|place| place.line == line)
                    && self.source_scope(*inst) == Some(scope)
            };
            if data.insts.iter().any(here) {
                let depth = loops.innermost(block).map_or(0, |found| found.depth);
                deepest = deepest.max(depth);
            }
        }
        deepest
    }

    /// Names of the types that the variables named on a line are made of.
    fn types_on(&self, tokens: &[String], found: &mut BTreeSet<String>) {
        for variable in self.function.variables.values() {
            if let Some(ty) = variable.ty
                && tokens.contains(&variable.name)
            {
                type_names(self.module, ty, found);
            }
        }
    }

    /// Local variables and renamed functions.
    fn names<'s>(&'s self, functions: &'s BTreeSet<String>) -> BTreeSet<&'s str> {
        let variables = self.function.variables.values();
        let variables = variables.map(|variable| variable.name.as_str());
        variables
            .chain(functions.iter().map(String::as_str))
            .collect()
    }
}

/// The subprogram around a scope.
pub(super) fn source_function(module: &Module, scope: Scope) -> Option<Scope> {
    let scopes = &module.source.scopes;
    let mut around = std::iter::successors(Some(scope), |&scope| scopes[scope].parent);
    around.find(|&scope| scopes[scope].function.is_some())
}

fn type_names(module: &Module, ty: DebugType, found: &mut BTreeSet<String>) {
    let mut open = vec![ty];
    let mut seen = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match &module.source.types[ty] {
            DebugTypeData::Composite { name, .. } | DebugTypeData::Enumeration { name, .. } => {
                found.insert(name.clone());
            }
            DebugTypeData::Typedef { name, of } => {
                found.insert(name.clone());
                open.extend(of);
            }
            other => other.for_each_type(|inner| open.push(inner)),
        }
    }
}

/// What the compiled code says about the lines of one source function.
#[derive(Default)]
struct Evidence {
    /// Change points by line of the new version.
    new: BTreeMap<u32, Vec<(Inst, ChangeKind)>>,
    /// Instructions that are gone, by line of the old version.
    old: BTreeMap<u32, Vec<Inst>>,
}

/// What is known beyond the function.
pub(super) struct Around<'a> {
    pub(super) causes: &'a Causes,
    /// Functions that must be called differently.
    pub(super) other_signatures: &'a BTreeSet<String>,
    /// Old and new names of functions that were renamed.
    pub(super) renamed: &'a (BTreeSet<String>, BTreeSet<String>),
}

/// What is shown beside what the compiled code points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Changes,
    /// The header too: parameters changed.
    Header,
    /// All that differs in the text: code inlined here changed, and its own text did not.
    Everything,
}

/// The statements of `body` that belong to the source function; `None` if the texts do not
/// reach as far as the lines.
pub(super) fn excerpts(
    body: &ChangedBody<'_>,
    source: &SourceFunction<'_>,
    scopes: (Option<Scope>, Option<Scope>),
    around: &Around<'_>,
    wanted: Wanted,
) -> Option<Vec<StatementReport>> {
    let evidence = evidence(body, scopes);
    let (old_text, new_text) = (source.old.text, source.new.text);
    let (old_range, new_range) = (
        old_text.body(source.old.first),
        new_text.body(source.new.first),
    );
    let reaches = evidence.new.keys().all(|line| new_range.contains(line))
        && evidence.old.keys().all(|line| old_range.contains(line));
    if !reaches {
        return None;
    }
    let lines = match_lines(old_text, old_range, new_text, new_range);
    let mut choice = Choice {
        body,
        source,
        evidence: &evidence,
        claimed: lines
            .hunks
            .iter()
            .map(|hunk| evidence.points_into(hunk))
            .collect(),
        same: Vec::new(),
        names: (
            body.old.names(&around.renamed.0),
            body.new.names(&around.renamed.1),
        ),
        lines: &lines,
    };
    choice.claim_control();
    choice.claim_wanted(wanted);
    choice.explain_same_lines(around.causes, around.other_signatures);
    Some(choice.statements(scopes))
}

fn evidence(body: &ChangedBody<'_>, scopes: (Option<Scope>, Option<Scope>)) -> Evidence {
    let comparison = &body.change.comparison;
    let mut evidence = Evidence::default();
    for point in &comparison.points {
        if body.new.source_scope(point.inst) == scopes.1
            && let Some(place) = body.new.places[point.inst]
        {
            let at = evidence.new.entry(place.line).or_default();
            at.push((point.inst, point.kind));
        }
    }
    for &inst in comparison
        .deletions
        .iter()
        .flat_map(|deletion| &deletion.old)
    {
        if body.old.source_scope(inst) == scopes.0
            && let Some(place) = body.old.places[inst]
        {
            evidence.old.entry(place.line).or_default().push(inst);
        }
    }
    evidence
}

impl Evidence {
    fn points_into(&self, hunk: &Hunk) -> bool {
        self.new.keys().any(|&line| hunk.has_new(line))
            || self.old.keys().any(|&line| hunk.has_old(line))
    }
}

/// How the code of a line differs where its text does not tell.
struct CodeDifference {
    words: String,
    /// Both are a `switch`, with other cases.
    is_of_cases: bool,
}

/// Which lines are shown.
struct Choice<'a> {
    body: &'a ChangedBody<'a>,
    source: &'a SourceFunction<'a>,
    evidence: &'a Evidence,
    lines: &'a LineMatch,
    /// Names in the old and in the new version that may stand for the same thing.
    names: (BTreeSet<&'a str>, BTreeSet<&'a str>),
    /// For each hunk, whether it is shown.
    claimed: Vec<bool>,
    /// Lines with the same text, by old and new number, and why they are shown.
    same: Vec<(u32, u32, Vec<String>)>,
}

impl Choice<'_> {
    /// In a changed function, control flow and assignments that came or went are shown
    /// even where the compiler kept no line for them.
    fn claim_control(&mut self) {
        if !self.claimed.contains(&true) {
            return;
        }
        const CONTROL: [&str; 12] = [
            "if", "else", "while", "for", "do", "switch", "case", "default", "break", "continue",
            "return", "goto",
        ];
        let (old_text, new_text) = (self.source.old.text, self.source.new.text);
        let single = |pair: &(Option<u32>, Option<u32>)| match *pair {
            (Some(old), None) => Some(old_text.line(old)),
            (None, Some(new)) => Some(new_text.line(new)),
            _ => None,
        };
        let all: Vec<&[String]> = self
            .lines
            .hunks
            .iter()
            .flat_map(|hunk| hunk.pairs.iter().filter_map(single))
            .collect();
        for (at, hunk) in self.lines.hunks.iter().enumerate() {
            let telling = |tokens: &[String]| {
                let moved = all.iter().filter(|one| **one == tokens).count() > 1;
                let [first, ..] = tokens else { return false };
                !moved
                    && (CONTROL.contains(&first.as_str())
                        || assigned(tokens).first() == Some(&first.as_str()))
            };
            self.claimed[at] |= hunk.pairs.iter().filter_map(single).any(telling);
        }
    }

    fn claim_wanted(&mut self, wanted: Wanted) {
        for at in self.unclaimed() {
            let hunk = &self.lines.hunks[at];
            self.claimed[at] = match wanted {
                Wanted::Changes => false,
                Wanted::Everything => true,
                Wanted::Header => hunk.pairs.iter().any(|&(old, new)| {
                    old.is_some_and(|line| self.source.old.is_header(line))
                        || new.is_some_and(|line| self.source.new.is_header(line))
                }),
            };
        }
    }

    /// A `switch` is compiled with the labels of its cases.
    fn with_cases(&self, new_line: u32) -> Vec<String> {
        let text = self.source.new.text;
        let mut tokens = text.line(new_line).to_vec();
        if tokens.first().is_some_and(|first| first == "switch") {
            for line in new_line..=*text.body(self.source.new.first).end() {
                let labels = text.line(line);
                if labels.first().is_some_and(|first| first == "case") {
                    tokens.extend_from_slice(labels);
                }
            }
        }
        tokens
    }

    fn explain_same_lines(&mut self, causes: &Causes, other_signatures: &BTreeSet<String>) {
        let changed: Vec<(u32, u32)> = self
            .lines
            .same
            .iter()
            .filter(|(old, new)| {
                self.evidence.new.contains_key(new) || self.evidence.old.contains_key(old)
            })
            .map(|(&old, &new)| (old, new))
            .collect();
        let mut unexplained = Vec::new();
        for (old, new) in changed {
            let tokens = &self.with_cases(new)[..];
            let mut types = BTreeSet::new();
            self.body.old.types_on(tokens, &mut types);
            self.body.new.types_on(tokens, &mut types);
            let mut found = causes.of_line(tokens, &types);
            let called = tokens
                .iter()
                .filter(|name| other_signatures.contains(*name));
            let called: BTreeSet<&String> = called.collect();
            found.extend(
                called
                    .iter()
                    .map(|name| format!("{name} has other parameters or result")),
            );
            match found.is_empty() {
                true => unexplained.push((old, new)),
                false => self.same.push((old, new, found)),
            }
        }
        for &(old, new) in &unexplained {
            if self.assignments_explain(new) {
                continue;
            }
            let words = self.in_words(old, new);
            let others = self.unclaimed();
            let is_switch = self.source.new.text.line(new)[0] == "switch"
                || words.as_ref().is_some_and(|found| found.is_of_cases);
            if (words.is_none() || is_switch) && self.claimed.contains(&true) {
                continue;
            }
            match others.is_empty() {
                true => {
                    let words = words.map(|found| (old, new, vec![found.words]));
                    self.same.extend(words);
                }
                false => others.into_iter().for_each(|at| self.claimed[at] = true),
            }
        }
        // Something must be shown.
        if self.same.is_empty() && !self.claimed.contains(&true) {
            for (old, new) in unexplained {
                self.same.push((old, new, Vec::new()));
            }
        }
    }

    /// Whether a hunk assigns something that the line depends on; such hunks are shown.
    fn assignments_explain(&mut self, new_line: u32) -> bool {
        let names = |tokens: &[String]| -> BTreeSet<String> {
            tokens
                .iter()
                .filter(|token| is_name(token))
                .cloned()
                .collect()
        };
        let new_text = self.source.new.text;
        let mut wanted = names(new_text.line(new_line));
        for (_, kind) in self.evidence.new.get(&new_line).into_iter().flatten() {
            if let ChangeKind::Assigned(variable) = kind {
                let variable = &self.body.new.function.variables[*variable];
                wanted = BTreeSet::from([variable.name.clone()]);
            }
        }
        let range = new_text.body(self.source.new.first);
        // Through assignments whose own text is the same.
        loop {
            let before = wanted.len();
            for line in range.clone() {
                let tokens = new_text.line(line);
                if assigned(tokens).iter().any(|name| wanted.contains(*name)) {
                    wanted.extend(names(tokens));
                }
            }
            if wanted.len() == before {
                break;
            }
        }
        let mut found = false;
        for (at, hunk) in self.lines.hunks.iter().enumerate() {
            let gives = |side: &SourceSide<'_>, line: Option<u32>| {
                line.is_some_and(|line| {
                    let tokens = side.text.line(line);
                    let given = match side.is_header(line) {
                        true => tokens.iter().map(String::as_str).collect(),
                        false => assigned(tokens),
                    };
                    given.into_iter().any(|name| wanted.contains(name))
                })
            };
            let explains = hunk.pairs.iter().any(|&(old, new)| {
                !self.is_rename(old, new)
                    && (gives(self.source.old, old) || gives(self.source.new, new))
            });
            if explains {
                self.claimed[at] = true;
                found = true;
            }
        }
        found
    }

    fn is_rename(&self, old: Option<u32>, new: Option<u32>) -> bool {
        let (Some(old), Some(new)) = (old, new) else {
            return false;
        };
        only_renames(
            self.source.old.text.line(old),
            self.source.new.text.line(new),
            &self.names.0,
            &self.names.1,
        )
    }

    /// Hunks that nothing points into and that are more than other names.
    fn unclaimed(&self) -> Vec<usize> {
        let hunks = self.lines.hunks.iter().enumerate();
        hunks
            .filter(|(at, hunk)| {
                let renames = |&(old, new): &(Option<u32>, Option<u32>)| self.is_rename(old, new);
                !self.claimed[*at] && !hunk.pairs.iter().all(renames)
            })
            .map(|(at, _)| at)
            .collect()
    }

    /// The first difference on a line between instructions that were and are on it.
    fn in_words(&self, old_line: u32, new_line: u32) -> Option<CodeDifference> {
        let points = self.evidence.new.get(&new_line)?;
        points.iter().find_map(|&(inst, kind)| {
            let in_old = self.body.change.comparison.alignment.old_of_new[inst]?;
            let was_here = self.body.old.places[in_old]?.line == old_line;
            let (old, new) = (&self.body.old, &self.body.new);
            let found = difference(old.side(), in_old, new.side(), inst)?;
            let is_switch = |side: Side<'_>, inst: Inst| {
                matches!(side.function.insts[inst].data, InstData::Switch { .. })
            };
            (was_here && kind == ChangeKind::Modified).then(|| CodeDifference {
                words: format!("the compiled code differs: {found}"),
                is_of_cases: is_switch(old.side(), in_old) && is_switch(new.side(), inst),
            })
        })
    }

    fn statements(&self, scopes: (Option<Scope>, Option<Scope>)) -> Vec<StatementReport> {
        let shown: Vec<(Option<u32>, Option<u32>)> = self
            .lines
            .hunks
            .iter()
            .zip(&self.claimed)
            .filter(|(_, claimed)| **claimed)
            .flat_map(|(hunk, _)| hunk.pairs.iter().copied())
            .filter(|&pair| self.is_worth_showing(pair))
            .collect();
        let mut moved: BTreeMap<u32, u32> = BTreeMap::new();
        for &(old, new) in &shown {
            let (Some(old), None) = (old, new) else {
                continue;
            };
            let tokens = self.source.old.text.line(old);
            let to = shown.iter().find_map(|pair| match *pair {
                (None, Some(new)) if !moved.values().any(|&taken| taken == new) => {
                    (self.source.new.text.line(new) == tokens).then_some(new)
                }
                _ => None,
            });
            moved.extend(to.map(|new| (old, new)));
        }
        let from: BTreeMap<u32, u32> = moved.iter().map(|(&old, &new)| (new, old)).collect();
        let mut statements = Vec::new();
        let is_bare = |line: u32| self.source.new.text.line(line).len() <= 2;
        for (old, new) in shown {
            match (old, new) {
                // An `else` or `break` by itself is one like any other.
                (None, Some(new)) if from.contains_key(&new) && is_bare(new) => {}
                (Some(old), None) if moved.contains_key(&old) => {}
                (None, Some(new)) if from.contains_key(&new) => {
                    let old = from[&new];
                    let mut statement = self.statement(Some(old), Some(new));
                    let note = self.movement(scopes, old, new);
                    statement.notes.push(note.to_owned());
                    statements.push(statement);
                }
                _ => statements.push(self.statement(old, new)),
            }
        }
        for (old, new, causes) in &self.same {
            let mut statement = self.statement(Some(*old), Some(*new));
            statement.has_same_text = true;
            statement.notes = causes.clone();
            for (_, kind) in self.evidence.new.get(new).into_iter().flatten() {
                if let ChangeKind::Assigned(variable) = kind
                    && causes.is_empty()
                {
                    let name = self.body.new.function.variables[*variable].name.clone();
                    if !statement.assigned.contains(&name) {
                        statement.assigned.push(name);
                    }
                }
            }
            statements.push(statement);
        }
        let key = |line: &Option<LineReport>| line.as_ref().map(|line| line.line);
        statements.sort_by_key(|one| {
            (
                key(&one.new),
                one.kind != StatementKind::Deleted,
                key(&one.old),
            )
        });
        statements
    }

    /// Not a brace alone, nor another name alone.
    fn is_worth_showing(&self, (old, new): (Option<u32>, Option<u32>)) -> bool {
        let is_dull = |text: &Text, line: Option<u32>| {
            let dull = |token: &String| matches!(token.as_str(), "{" | "}" | ";" | ")" | "(");
            line.is_none_or(|line| text.line(line).iter().all(dull))
        };
        let pointed_at = new.is_some_and(|new| self.evidence.new.contains_key(&new))
            || old.is_some_and(|old| self.evidence.old.contains_key(&old));
        let dull = is_dull(self.source.old.text, old) && is_dull(self.source.new.text, new);
        !dull && (pointed_at || !self.is_rename(old, new))
    }

    fn movement(&self, scopes: (Option<Scope>, Option<Scope>), old: u32, new: u32) -> &'static str {
        let depth = |side: &BodySide<'_>, scope: Option<Scope>, line| {
            scope.map_or(0, |scope| side.loop_depth(scope, line))
        };
        let was = depth(&self.body.old, scopes.0, old);
        let is = depth(&self.body.new, scopes.1, new);
        match is.cmp(&was) {
            std::cmp::Ordering::Less => "moved out of a loop",
            std::cmp::Ordering::Greater => "moved into a loop",
            std::cmp::Ordering::Equal => "moved",
        }
    }

    fn statement(&self, old: Option<u32>, new: Option<u32>) -> StatementReport {
        let line = |side: &SourceSide<'_>, line: u32, known: bool| LineReport {
            line,
            found_in_text: !known,
            ..side.file.clone()
        };
        let kind = match (old, new) {
            (_, None) => StatementKind::Deleted,
            (None, _) => StatementKind::Added,
            _ => StatementKind::Modified,
        };
        // The line that a deleted one would stand before.
        let marker = || {
            let old = old?;
            let hunk = self.lines.hunks.iter().find(|hunk| hunk.has_old(old));
            let pairs = hunk.map_or(&[][..], |hunk| hunk.pairs.as_slice());
            let behind = pairs.iter().skip_while(|pair| pair.0 != Some(old));
            let in_hunk = behind.filter_map(|pair| pair.1).next();
            let next_same = self.lines.same.range(old..).next().map(|(_, &new)| new);
            in_hunk.or(next_same)
        };
        StatementReport {
            old: old.map(|old| line(self.source.old, old, self.evidence.old.contains_key(&old))),
            new: new
                .or_else(marker)
                .map(|new| line(self.source.new, new, self.evidence.new.contains_key(&new))),
            ..StatementReport::new(kind)
        }
    }
}

/// The names that a line gives values to, by the look of it: before `=` and the like, and
/// beside `++` and `--`. (A field or an element counts by the name it belongs to.)
fn assigned(tokens: &[String]) -> Vec<&str> {
    const ASSIGNING: [&str; 11] = [
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
    ];
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if ASSIGNING.contains(&token.as_str()) {
            // Back to where the expression on the left begins.
            let mut depth = 0;
            for before in tokens[..at].iter().rev() {
                match before.as_str() {
                    ")" | "]" => depth += 1,
                    "(" | "[" if depth == 0 => break,
                    "(" | "[" => depth -= 1,
                    "," | ";" | "{" | "}" | "=>" | ":" | "?" if depth == 0 => break,
                    name if is_name(name) && depth == 0 => names.push(name),
                    _ => {}
                }
            }
        } else if token == "++" || token == "--" {
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            let beside = beside.filter_map(|at| tokens.get(at));
            names.extend(beside.map(String::as_str).filter(|name| is_name(name)));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{Text, assigned};

    #[test]
    fn assignments_are_recognised() {
        for line in [
            "b = 0;",
            "int a = 1, b = 2;",
            "b += 1;",
            "b++;",
            "--b;",
            "b <<= 2;",
            "if ((b = f()) != 0)",
            "b[3].c = 1;",
            "Token::Minus => b = -1,",
        ] {
            let text = Text::of(line);
            assert!(assigned(text.line(1)).contains(&"b"), "{line}");
        }
        for line in [
            "if (b == 0)",
            "ab = 0;",
            "b <= 1",
            "b_c = 1;",
            "// b = 1;",
            "f(b);",
            "a[b] = 1;",
        ] {
            let text = Text::of(line);
            assert!(!assigned(text.line(1)).contains(&"b"), "{line}");
        }
    }
}
