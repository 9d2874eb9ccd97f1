//! A change set in words: plain data with names and lines instead of ids, for printing
//! and for serialising elsewhere.
//!
//! Where the source texts are at hand, statements are placed in them (`excerpts`), and
//! code that changed although its text did not is explained (`causes`). Code that was
//! inlined is reported under the function it was written in. Without texts, what counts
//! is the line that the compiler kept.

mod causes;
mod excerpts;
mod line_match;
mod operation_words;
mod parameters;
mod text;

use crate::changes::{ChangeSet, FunctionChange, GlobalChange, GlobalDifference, whole_function};
use crate::match_functions::MatchKind;
use crate::statements::{SourceLine, StatementChange, StatementKind};
use crate::symbols::{readable, rust_path};
use causes::{Causes, Named};
use excerpts::{
    Around, BodySide, ChangedBody, SourceFunction, SourceSide, Wanted, excerpts, source_function,
};
use line_match::match_lines;
pub use parameters::ParameterReport;
use program_ir::{File, Func, Global, Module, Scope};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use text::Text;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangeReport {
    pub functions: Vec<FunctionReport>,
    pub globals: Vec<GlobalReport>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionStatus {
    Changed,
    Added,
    Removed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionReport {
    pub status: FunctionStatus,
    /// The name in the new version (of a removed function, in the old one).
    pub name: String,
    /// The former name, if it was renamed.
    pub old_name: Option<String>,
    /// For code that was inlined: the functions it ended up in.
    pub inlined_into: Vec<String>,
    pub has_other_signature: bool,
    /// How its parameters and result changed.
    pub parameters: Option<ParameterReport>,
    /// Where it begins, in the version that `name` is from.
    pub line: Option<LineReport>,
    pub statements: Vec<StatementReport>,
}

impl FunctionReport {
    fn new(name: String) -> Self {
        FunctionReport {
            status: FunctionStatus::Changed,
            name,
            old_name: None,
            inlined_into: Vec::new(),
            has_other_signature: false,
            parameters: None,
            line: None,
            statements: Vec::new(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementReport {
    pub kind: StatementKind,
    pub old: Option<LineReport>,
    /// Of a deleted statement: the line it would stand before.
    pub new: Option<LineReport>,
    /// Variables that get another value here.
    pub assigned: Vec<String>,
    /// Old and new line read the same; the notes say why they do not mean the same.
    pub has_same_text: bool,
    /// Remarks for the reader: why, or where it was moved to.
    pub notes: Vec<String>,
}

impl StatementReport {
    fn new(kind: StatementKind) -> Self {
        StatementReport {
            kind,
            old: None,
            new: None,
            assigned: Vec::new(),
            has_same_text: false,
            notes: Vec::new(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineReport {
    /// As the compiler was given it.
    pub file: String,
    /// The folder that `file` is relative to.
    pub directory: String,
    pub line: u32,
    /// No instruction was at this line; it was found by comparing the texts.
    pub found_in_text: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalReport {
    pub name: String,
    pub differences: Vec<GlobalDifference>,
    pub line: Option<LineReport>,
    /// Functions of the new version that use it.
    pub users: Vec<String>,
    /// The lines of its definition that differ, where the texts are at hand.
    pub statements: Vec<StatementReport>,
}

/// The two versions' source files. `None`: the text is not at hand.
pub trait Sources {
    fn old_text(&self, line: &LineReport) -> Option<String>;
    fn new_text(&self, line: &LineReport) -> Option<String>;

    /// Names and texts of the files that this line's file includes, as far as they can
    /// be found.
    fn old_included(&self, _line: &LineReport) -> Vec<(String, String)> {
        Vec::new()
    }

    fn new_included(&self, _line: &LineReport) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// No texts.
pub struct NoSources;

impl Sources for NoSources {
    fn old_text(&self, _: &LineReport) -> Option<String> {
        None
    }

    fn new_text(&self, _: &LineReport) -> Option<String> {
        None
    }
}

pub fn report(
    old: &Module,
    new: &Module,
    changes: &ChangeSet,
    sources: &dyn Sources,
) -> ChangeReport {
    let mut reader = Reader::new(old, new, changes, sources);
    let mut functions: Vec<FunctionReport> = Vec::new();
    for change in &changes.functions {
        for one in reader.function(change) {
            // The same code, inlined in several places.
            let known = functions.iter_mut().find(|known| {
                !one.inlined_into.is_empty()
                    && known.name == one.name
                    && known.statements == one.statements
            });
            match known {
                Some(known) if known.inlined_into.is_empty() => {}
                Some(known) => known.inlined_into.extend(one.inlined_into),
                None => functions.push(one),
            }
        }
    }
    functions.sort_by_key(place);
    for &func in &changes.added_functions {
        functions.push(reader.whole(func, FunctionStatus::Added));
    }
    for &func in &changes.removed_functions {
        functions.push(reader.whole(func, FunctionStatus::Removed));
    }
    let globals = changes.globals.iter();
    ChangeReport {
        globals: globals.map(|change| reader.global(change)).collect(),
        functions,
    }
}

/// The source's name for a function, or its symbol. Of a Rust function the whole path: many are called
/// `new` or `fmt`.
pub fn display_name(module: &Module, func: Func) -> String {
    let function = &module.functions[func];
    if let Some(path) = rust_path(&function.name) {
        return path;
    }
    let scope = function.scope.map(|scope| &module.source.scopes[scope]);
    scope
        .and_then(|scope| scope.function.clone())
        .unwrap_or_else(|| function.name.clone())
}

fn line_report(module: &Module, file: File, line: u32) -> LineReport {
    let data = &module.source.files[file];
    LineReport {
        file: data.name.clone(),
        directory: data.directory.clone(),
        line,
        found_in_text: false,
    }
}

/// Where a function stands in the source.
fn place(function: &FunctionReport) -> Option<(String, u32)> {
    let line = function.line.as_ref()?;
    Some((line.file.clone(), line.line))
}

fn function_line(module: &Module, func: Func) -> Option<LineReport> {
    let scope = module.functions[func].scope?;
    let data = &module.source.scopes[scope];
    Some(line_report(module, data.file, data.line))
}

/// A statement by the lines that the compiler kept.
fn statement_report(old: &Module, new: &Module, statement: &StatementChange) -> StatementReport {
    let place = |module: &Module, line: Option<SourceLine>| {
        line.map(|line| line_report(module, line.file, line.line))
    };
    StatementReport {
        old: place(old, statement.old),
        new: place(new, statement.new),
        assigned: statement.assigned.clone(),
        ..StatementReport::new(statement.kind)
    }
}

/// Makes the reports of changed functions; reads each file once.
struct Reader<'a> {
    old: &'a Module,
    new: &'a Module,
    sources: &'a dyn Sources,
    /// Functions that must be called differently.
    other_signatures: BTreeSet<String>,
    /// Old and new names of functions that were renamed.
    renamed: (BTreeSet<String>, BTreeSet<String>),
    old_texts: Texts,
    new_texts: Texts,
    causes: HashMap<(FileName, FileName), Rc<Causes>>,
}

type FileName = (String, String);
type Texts = HashMap<FileName, Option<Rc<Text>>>;

fn file_name(line: &LineReport) -> FileName {
    (line.directory.clone(), line.file.clone())
}

impl<'a> Reader<'a> {
    fn new(
        old: &'a Module,
        new: &'a Module,
        changes: &ChangeSet,
        sources: &'a dyn Sources,
    ) -> Self {
        let differs = changes.matches.iter().filter(|found| {
            old.functions[found.old].signature != new.functions[found.new].signature
        });
        let renamed = changes.matches.iter();
        let renamed = renamed.filter(|found| found.kind == MatchKind::Renamed);
        Reader {
            renamed: renamed
                .map(|found| (display_name(old, found.old), display_name(new, found.new)))
                .unzip(),
            old,
            new,
            sources,
            other_signatures: differs.map(|found| display_name(new, found.new)).collect(),
            old_texts: HashMap::new(),
            new_texts: HashMap::new(),
            causes: HashMap::new(),
        }
    }

    /// One report for the function itself and one for each function inlined into it.
    fn function(&mut self, change: &FunctionChange) -> Vec<FunctionReport> {
        let (in_old, in_new) = (
            &self.old.functions[change.old],
            &self.new.functions[change.new],
        );
        let body = ChangedBody {
            change,
            old: BodySide::of(self.old, in_old),
            new: BodySide::of(self.new, in_new),
        };
        let own = (
            in_old
                .scope
                .and_then(|scope| source_function(self.old, scope)),
            in_new
                .scope
                .and_then(|scope| source_function(self.new, scope)),
        );
        let old_name = display_name(self.old, change.old);
        let name = display_name(self.new, change.new);
        let parameters = ParameterReport::of(in_old, in_new, &change.inputs);
        let wanted = match &parameters {
            Some(parameters) if parameters.concerns_callers() => Wanted::Header,
            _ => Wanted::Changes,
        };
        let mut reports = vec![FunctionReport {
            old_name: (old_name != name).then_some(old_name),
            has_other_signature: in_old.signature != in_new.signature,
            line: function_line(self.new, change.new),
            statements: self.statements(&body, own, wanted),
            parameters,
            ..FunctionReport::new(name.clone())
        }];
        for (inlined, scopes) in self.inlined(&body, own) {
            let file = scopes.1.map(|scope| &self.new.source.scopes[scope]);
            reports.push(FunctionReport {
                inlined_into: vec![name.clone()],
                line: file.map(|data| line_report(self.new, data.file, data.line)),
                statements: self.statements(&body, scopes, Wanted::Changes),
                ..FunctionReport::new(inlined)
            });
        }
        // A closure stands inside the text of its function.
        let mut known: Vec<StatementReport> = Vec::new();
        for report in &mut reports {
            report.statements.retain(|one| !known.contains(one));
            known.extend(report.statements.iter().cloned());
        }
        // What the text of the inlined code does not explain, the text around it may.
        let unexplained = |one: &FunctionReport| one.statements.iter().any(|one| one.has_same_text);
        if reports[0].statements.is_empty() && reports.iter().any(unexplained) {
            reports[0].statements = self.statements(&body, own, Wanted::Everything);
            let around = !reports[0].statements.is_empty();
            let inlined = reports[1..].iter_mut().flat_map(|one| &mut one.statements);
            for statement in inlined.filter(|one| one.has_same_text && around) {
                statement.notes = vec![format!("{name}, where it was inlined, differs")];
            }
        }
        let has_something = |one: &FunctionReport| {
            !one.statements.is_empty() || one.parameters.is_some() || one.old_name.is_some()
        };
        if !reports.iter().any(has_something) {
            let statements = change.statements.iter();
            reports[0].statements = statements
                .map(|statement| statement_report(self.old, self.new, statement))
                .collect();
        }
        reports.retain(has_something);
        reports
    }

    /// The other source functions that changed instructions stand in.
    fn inlined(
        &self,
        body: &ChangedBody<'_>,
        own: (Option<Scope>, Option<Scope>),
    ) -> BTreeMap<String, (Option<Scope>, Option<Scope>)> {
        let mut found: BTreeMap<String, (Option<Scope>, Option<Scope>)> = BTreeMap::new();
        let name = |module: &Module, scope: Scope| module.source.scopes[scope].function.clone();
        for point in &body.change.comparison.points {
            let scope = body.new.source_scope(point.inst);
            if let Some(scope) = scope.filter(|_| scope != own.1)
                && let Some(name) = name(self.new, scope)
            {
                found.entry(name).or_default().1 = Some(scope);
            }
        }
        for deletion in &body.change.comparison.deletions {
            for &inst in &deletion.old {
                let scope = body.old.source_scope(inst);
                if let Some(scope) = scope.filter(|_| scope != own.0)
                    && let Some(name) = name(self.old, scope)
                {
                    found.entry(name).or_default().0 = Some(scope);
                }
            }
        }
        let named = |module: &Module, wanted: &String| {
            let mut scopes = module.source.scopes.iter();
            let found = scopes.find(|(_, data)| data.function.as_ref() == Some(wanted));
            found.map(|(scope, _)| scope)
        };
        for (name, scopes) in &mut found {
            scopes.0 = scopes.0.or_else(|| named(self.old, name));
            scopes.1 = scopes.1.or_else(|| named(self.new, name));
        }
        found
    }

    fn statements(
        &mut self,
        body: &ChangedBody<'_>,
        scopes: (Option<Scope>, Option<Scope>),
        wanted: Wanted,
    ) -> Vec<StatementReport> {
        let placed = self.excerpts(body, scopes, wanted);
        placed.unwrap_or_else(|| {
            let here = |statement: &&StatementChange| {
                let new = statement.points.first();
                let old = statement.gone.first();
                match (new, old) {
                    (Some(&new), _) => body.new.source_scope(new) == scopes.1,
                    (None, Some(&old)) => body.old.source_scope(old) == scopes.0,
                    (None, None) => false,
                }
            };
            let statements = body.change.statements.iter().filter(here);
            statements
                .map(|statement| statement_report(self.old, self.new, statement))
                .collect()
        })
    }

    fn excerpts(
        &mut self,
        body: &ChangedBody<'_>,
        scopes: (Option<Scope>, Option<Scope>),
        wanted: Wanted,
    ) -> Option<Vec<StatementReport>> {
        let line = |module: &Module, scope: Scope| {
            let data = &module.source.scopes[scope];
            line_report(module, data.file, data.line)
        };
        let old_line = line(self.old, scopes.0?);
        let new_line = line(self.new, scopes.1?);
        let (old_text, new_text) = (self.old_text(&old_line)?, self.new_text(&new_line)?);
        let causes = self.causes(&old_line, &new_line);
        let side = |text, line: LineReport| SourceSide {
            text,
            first: line.line,
            file: line,
        };
        let source = SourceFunction {
            old: &side(&old_text, old_line),
            new: &side(&new_text, new_line),
        };
        let around = Around {
            causes: &causes,
            other_signatures: &self.other_signatures,
            renamed: &self.renamed,
        };
        excerpts(body, &source, scopes, &around, wanted)
    }

    /// An added or removed function: the lines of its text, or those with code.
    fn whole(&mut self, func: Func, status: FunctionStatus) -> FunctionReport {
        let added = status == FunctionStatus::Added;
        let (module, kind) = match added {
            true => (self.new, StatementKind::Added),
            false => (self.old, StatementKind::Deleted),
        };
        let line = function_line(module, func);
        let text = line.as_ref().and_then(|line| match added {
            true => self.new_text(line),
            false => self.old_text(line),
        });
        let statements = match (&line, text) {
            (Some(line), Some(text)) => {
                let lines = text
                    .body(line.line)
                    .filter(|&line| !text.line(line).is_empty());
                let report = |number| {
                    let line = Some(LineReport {
                        line: number,
                        ..line.clone()
                    });
                    let mut statement = StatementReport::new(kind);
                    match added {
                        true => statement.new = line,
                        false => statement.old = line,
                    }
                    statement
                };
                lines.map(report).collect()
            }
            _ => {
                let statements = whole_function(module, func, kind);
                let statements = statements.iter();
                statements
                    .map(|statement| statement_report(self.old, self.new, statement))
                    .collect()
            }
        };
        FunctionReport {
            status,
            line,
            statements,
            ..FunctionReport::new(display_name(module, func))
        }
    }

    fn global(&mut self, change: &GlobalChange) -> GlobalReport {
        let (module, global) = match (change.new, change.old) {
            (Some(global), _) => (self.new, Some(global)),
            (None, global) => (self.old, global),
        };
        let data = global.map(|global| &module.globals[global]);
        let info = data.and_then(|data| data.info.as_ref());
        let line = |module: &Module, global: Option<Global>| {
            let info = module.globals[global?].info.as_ref()?;
            Some(line_report(module, info.file, info.line))
        };
        let lines = (line(self.old, change.old), line(self.new, change.new));
        GlobalReport {
            name: info
                .filter(|info| !info.name.is_empty())
                .map(|info| info.name.clone())
                .or_else(|| data.map(|data| readable(&data.name)))
                .unwrap_or_default(),
            differences: change.differences.clone(),
            line: info.map(|info| line_report(module, info.file, info.line)),
            users: change
                .users
                .keys()
                .map(|&func| display_name(self.new, func))
                .collect(),
            statements: self.declaration(lines).unwrap_or_default(),
        }
    }

    /// What differs in the text of a global's definition, or why it differs.
    fn declaration(
        &mut self,
        lines: (Option<LineReport>, Option<LineReport>),
    ) -> Option<Vec<StatementReport>> {
        let (old_line, new_line) = (lines.0?, lines.1?);
        let (old_text, new_text) = (self.old_text(&old_line)?, self.new_text(&new_line)?);
        let (old_range, new_range) = (
            old_text.declaration(old_line.line),
            new_text.declaration(new_line.line),
        );
        let statement = |old: Option<u32>, new: Option<u32>| {
            let place = |line: &LineReport, number| LineReport {
                line: number,
                ..line.clone()
            };
            let kind = match (old, new) {
                (_, None) => StatementKind::Deleted,
                (None, _) => StatementKind::Added,
                _ => StatementKind::Modified,
            };
            StatementReport {
                old: old.map(|number| place(&old_line, number)),
                new: new.map(|number| place(&new_line, number)),
                ..StatementReport::new(kind)
            }
        };
        let found = match_lines(&old_text, old_range, &new_text, new_range.clone());
        let pairs = found.hunks.iter().flat_map(|hunk| &hunk.pairs);
        let mut statements: Vec<StatementReport> =
            pairs.map(|&(old, new)| statement(old, new)).collect();
        if statements.is_empty() {
            let causes = self.causes(&old_line, &new_line);
            let tokens: Vec<String> = new_range
                .flat_map(|line| new_text.line(line).to_vec())
                .collect();
            statements.push(StatementReport {
                has_same_text: true,
                notes: causes.of_line(&tokens, &BTreeSet::new()),
                ..statement(Some(old_line.line), Some(new_line.line))
            });
        }
        Some(statements)
    }

    fn old_text(&mut self, line: &LineReport) -> Option<Rc<Text>> {
        let read = || Some(Rc::new(Text::of(&self.sources.old_text(line)?)));
        let text = self.old_texts.entry(file_name(line));
        text.or_insert_with(read).clone()
    }

    fn new_text(&mut self, line: &LineReport) -> Option<Rc<Text>> {
        let read = || Some(Rc::new(Text::of(&self.sources.new_text(line)?)));
        let text = self.new_texts.entry(file_name(line));
        text.or_insert_with(read).clone()
    }

    fn causes(&mut self, old: &LineReport, new: &LineReport) -> Rc<Causes> {
        let key = (file_name(old), file_name(new));
        if let Some(known) = self.causes.get(&key) {
            return known.clone();
        }
        let named = |text: Option<Rc<Text>>, line: &LineReport, more: Vec<(String, String)>| {
            let own = text.map(|text| (line.file.clone(), (*text).clone()));
            let more = more.into_iter().map(|(name, text)| (name, Text::of(&text)));
            own.into_iter().chain(more).collect::<Vec<Named>>()
        };
        let old_files = named(self.old_text(old), old, self.sources.old_included(old));
        let new_files = named(self.new_text(new), new, self.sources.new_included(new));
        let causes = Rc::new(Causes::between(&old_files, &new_files));
        self.causes.insert(key, causes.clone());
        causes
    }
}
