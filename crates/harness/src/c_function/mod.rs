//! One function of C in two versions, compared on all its arguments (`parallax check OLD NEW --fn NAME`).
//!
//! For each version a *driver* is made (`driver.rs`): a program that takes the function's arguments from the input,
//! calls it, and writes what can be seen of the call into files. From there on, two programs are compared as always. What
//! this module knows more than they do is how to read it: arguments, results and conditions have names and types.

pub(crate) mod bounds;
pub(crate) mod driver;
pub(crate) mod effects;
pub(crate) mod find;
pub(crate) mod kept;
pub(crate) mod layout;
mod lengths;
pub(crate) mod seen;
pub(crate) mod space;
pub(crate) mod test_code;
pub(crate) mod values;

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use build::error::BuildError;
use build::{Builder, Request};
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use exploration::compare::Observable;
use exploration::outputs::SymbolicOutput;
use exploration::{InputRecord, InputSpace};
use expr::{VariableKind, VariableKinds};
use program_ir::Module;

use crate::build_options::BuildOptions;
use crate::call::{Call, CallObservable, CallOutcome};
use crate::error::{Error, OfVersion, Result};
use crate::test_code::{TestCode, TestSources};
use crate::types::{Scalar, Shape};
use crate::value::Value;
use crate::whole_program::program_name;
use crate::{Harness, RawFile, folder_of};
use bounds::memory_bounds;
use find::{Function, Sources};
use layout::Extent;
use space::{Choice, Common, Content, Observed};
use test_code::{Called, Variable, variables};

/// The name that drivers have in source locations.
pub const DRIVER: &str = "parallax_driver.c";

/// Which function is compared, on which arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionSpec {
    /// `NAME`, or `FILE:NAME` if several files have one of this name.
    pub name: String,
    /// How many elements a pointer to numbers has, and how many bytes a text has at most.
    pub elements: Option<u16>,
    /// How many objects of a type that refers to itself follow each other.
    pub depth: Option<u16>,
    /// Variables have their first values.
    pub first_values: bool,
    /// Pointers may be NULL, also those of types that do not refer to themselves.
    pub null: bool,
    /// Conditions in C over the parameters: only arguments for which all hold are meant.
    pub assumed: Vec<String>,
    /// The bits of a NaN count.
    pub exact: bool,
}

/// A function of C in two versions.
pub struct CFunction {
    name: String,
    common: Common,
    requests: [Request; 2],
    golden: Option<Request>,
    kinds: Arc<VariableKinds>,
    assumed: Vec<String>,
    sources: [PathBuf; 2],
    program_name: Vec<u8>,
    folder: PathBuf,
    /// What the tests of it are built with, and must know.
    test_sources: [TestSources; 2],
    variables: [BTreeMap<String, Variable>; 2],
    /// What the source calls the type of the result.
    result: Option<String>,
}

impl CFunction {
    /// The drivers for a function of two versions. `versions` are the files of both, `golden` those of a version that behaves as
    /// intended, if there are any.
    pub fn new(
        builder: &Builder<'_>,
        versions: [&[PathBuf]; 2],
        golden: &[PathBuf],
        options: &BuildOptions,
        spec: &FunctionSpec,
    ) -> Result<CFunction> {
        let name = &spec.name;
        check_name(name)?;
        spec.assumed
            .iter()
            .try_for_each(|condition| check_condition(condition))?;
        let elements = u64::from(spec.elements.unwrap_or(DEFAULT_ELEMENTS));
        let template = options.request(&[], &[]);
        let target = template.target.as_deref();
        let [old, new] = versions.map(|own| Sources::of(own, versions[1], target));
        let sources = [old.of_version("old")?, new.of_version("new")?];
        let (old, new) = find_both(builder, &sources, &template, name)?;
        let depth = u64::from(spec.depth.unwrap_or(DEFAULT_DEPTH));
        let extent = Extent {
            elements,
            depth,
            null: spec.null,
        };
        let common = Common::of(&old, &new, extent, spec);
        let drivers = Drivers {
            builder,
            template: &template,
            common: &common,
            assumed: &spec.assumed,
        };
        let requests = [
            drivers.request(&old, &sources[0], &common.views[0], 0)?,
            drivers.request(&new, &sources[1], &common.views[1], 1)?,
        ];
        let golden = match golden {
            [] => None,
            own => {
                let sources = Sources::of(own, versions[1], target);
                let sources = sources.of_version("golden")?;
                let function = find::find(builder, &sources, &template, name)?;
                let missing =
                    || Error::Usage(format!("the golden version has no function `{name}`"));
                let function = function.ok_or_else(missing)?;
                let view = common.view(&function)?;
                Some(drivers.request(&function, &sources, &view, 1)?)
            }
        };
        let kinds = common.inputs.iter();
        let kinds = kinds.map(|input| (input.name.clone(), input.scalar.kind()));
        let choices = common.choices.iter();
        let kinds =
            kinds.chain(choices.map(|(name, choices)| (name.clone(), pointer_kind(choices))));
        Ok(CFunction {
            name: new.name.clone(),
            kinds: Arc::new(kinds.collect()),
            requests,
            golden,
            assumed: spec.assumed.clone(),
            test_sources: [
                sources[0].of_test(&old, &template),
                sources[1].of_test(&new, &template),
            ],
            variables: [variables(&old), variables(&new)],
            result: new.result.clone(),
            program_name: program_name(&[versions[1].to_vec()]),
            folder: folder_of(&versions[1][0]),
            sources: [old.source, new.source],
            common,
        })
    }

    /// The same under another name than that of its files.
    pub fn named(mut self, name: Option<PathBuf>) -> CFunction {
        if let Some(name) = name {
            self.folder = folder_of(&name);
            self.program_name = name.into_os_string().into_vec();
        }
        self
    }

    fn observed_in(&self, observable: &Observable) -> Option<&Observed> {
        let Observable::File(path) = observable else {
            return None;
        };
        let mut all = self.common.observed.iter();
        all.find(|observed| Path::new(path).file_name() == Some(observed.file.as_ref()))
    }
}

/// A condition that changes something would change what is compared, and one that assigns is a slip of the hand.
fn check_condition(condition: &str) -> Result<()> {
    let mut plain = String::new();
    let (mut quote, mut escaped) = (None, false);
    for character in condition.chars() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some(open) if character == open => quote = None,
            Some(_) => {}
            None if ['"', '\''].contains(&character) => quote = Some(character),
            None => plain.push(character),
        }
    }
    for comparison in ["==", "!=", "<=", ">="] {
        // What is left of `<<=` still assigns.
        let shift = format!("{}{comparison}", &comparison[..1]);
        if ["<<=", ">>="].contains(&shift.as_str()) {
            plain = plain.replace(&shift, "=");
        }
        plain = plain.replace(comparison, " ");
    }
    match plain.contains('=') || plain.contains("++") || plain.contains("--") {
        false => Ok(()),
        true => Err(Error::Usage(format!(
            "`--fn-assume '{condition}'` changes something: a condition only compares, as in `n == 3`"
        ))),
    }
}

/// The function in both versions, with the globals that a call may change in either.
fn find_both(
    builder: &Builder<'_>,
    sources: &[Sources; 2],
    template: &Request,
    name: &str,
) -> Result<(Function, Function)> {
    let mut found = Vec::new();
    for (sources, which) in sources.iter().zip(["old", "new"]) {
        let function = find::find(builder, sources, template, name);
        found.push(function.of_version(which)?);
    }
    let (mut old, mut new) = match (found.remove(0), found.remove(0)) {
        (Some(old), Some(new)) => (old, new),
        (old, new) => {
            let is_there = [old.is_some(), new.is_some()];
            return Err(missing(builder, sources, template, name, is_there));
        }
    };
    find::look_for_globals(builder, &sources[0], template, &mut old, &new)?;
    find::look_for_globals(builder, &sources[1], template, &mut new, &old)?;
    Ok((old, new))
}

/// What drivers are made with.
struct Drivers<'d> {
    builder: &'d Builder<'d>,
    template: &'d Request,
    common: &'d Common,
    assumed: &'d [String],
}

/// What a driver needs of ours.
pub(crate) fn support(common: &Common) -> Vec<&'static str> {
    let mut texts = vec![driver::OBSERVE];
    let mut observed = common.observed.iter();
    if observed.any(|observed| matches!(observed.what, CallObservable::Kept(_))) {
        texts.push(kept::SOURCE);
    }
    texts
}

impl Drivers<'_> {
    /// The driver of one version.
    fn request(
        &self,
        function: &Function,
        sources: &Sources,
        view: &space::View,
        version: usize,
    ) -> Result<Request> {
        let text = driver::driver(function, view, self.common, version, self.assumed);
        let support = support(self.common);
        let source = &function.source;
        let request = sources.request(self.builder, self.template, source, Some(&text), support)?;
        match self.builder.module(&request) {
            Err(BuildError::DoesNotCompile { message, .. })
                if !self.assumed.is_empty() && find::is_about_driver(&message) =>
            {
                Err(Error::Usage(format!(
                    "`--fn-assume` needs a C expression over the parameters of `{}`, as in `--fn-assume 'n >= 0 && n < \
                     4'`; the compiler says:\n{message}",
                    function.name
                )))
            }
            _ => Ok(request),
        }
    }
}

impl Harness for CFunction {
    fn requests(&self) -> &[Request] {
        &self.requests
    }

    fn golden(&self) -> Option<&Request> {
        self.golden.as_ref()
    }

    fn function(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn program_name(&self) -> Vec<u8> {
        self.program_name.clone()
    }

    fn default_folder(&self) -> PathBuf {
        let mut name = self.folder.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", self.name));
        self.folder.with_file_name(name)
    }

    /// The files that define it, in the old version and in the new one.
    fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    fn place(&self, version: usize) -> PathBuf {
        self.sources[version].clone()
    }

    fn has_own_input(&self, _: &[Module]) -> bool {
        true
    }

    /// What is said of the program's command line is not about a function.
    fn fit(&self, space: &mut InputSpace) {
        space.args.clear();
    }

    fn bounds(&self, space: &InputSpace) -> Vec<String> {
        let mut bounds = vec![match self.common.parameters.is_empty() {
            true => format!("{} has no parameters", self.name),
            false => format!("arguments of {}: every value", self.name),
        }];
        bounds.extend(memory_bounds(&self.common));
        bounds.extend(self.common.notes.iter().cloned());
        let globals: Vec<&str> = (self.common.globals.iter())
            .map(|global| global.name.as_str())
            .collect();
        bounds.push(match globals.is_empty() {
            true => "globals have their first values".to_owned(),
            false => format!(
                "globals {}: every value; others have their first values",
                globals.join(", ")
            ),
        });
        let assumed = self.assumed.iter();
        bounds.extend(assumed.map(|condition| format!("only where {condition}")));
        // A command line without arguments is none: that is the first bound.
        let command_line = usize::from(space.args.is_empty());
        bounds.extend(space.bounds().into_iter().skip(command_line));
        bounds
    }

    fn variable_kinds(&self) -> Arc<VariableKinds> {
        self.kinds.clone()
    }

    /// Those that an assumption excludes, and values that fit the parameter's type in one version only.
    fn leaves_out_inputs(&self) -> bool {
        !self.assumed.is_empty()
            || !self.common.lengths.is_empty()
            || (self.common.inputs.iter()).any(|input| input.differing.is_some())
    }

    fn assumes_expressions(&self) -> bool {
        !self.assumed.is_empty()
    }

    fn may_be_called(&self, module: &Module) -> bool {
        module.function_named("parallax_clear_errno").is_some()
    }

    /// Right before it calls the function, a driver calls another one that nothing else does.
    fn is_meant(&self, program: &Program, coverage: &Coverage) -> bool {
        let module = program.module();
        let before = module.function_named("parallax_clear_errno");
        before.is_some_and(|before| !coverage.blocks(program, before).is_empty())
    }

    fn call(&self, input: &InputRecord) -> Option<Call> {
        Some(Call {
            function: self.name.clone(),
            arguments: self.common.arguments(&input.variables),
            variables: self.common.variables(&input.variables),
            sequence: Vec::new(),
        })
    }

    /// If parameters come in another order, a reader may expect that places count.
    fn matched(&self) -> Option<&str> {
        self.common.matched.as_deref()
    }

    fn left_out(&self) -> &[String] {
        &self.common.left_out
    }

    fn left_out_in(&self, program: &Program, coverage: &Coverage) -> Vec<String> {
        unseen(program, coverage)
    }

    fn is_ever_written(&self, variable: &str) -> bool {
        !self.common.unwritten.iter().any(|own| own == variable)
    }

    fn observed(&self, observable: &Observable) -> Option<CallObservable> {
        Some(self.observed_in(observable)?.what.clone())
    }

    fn outcome(&self, files: &BTreeMap<PathBuf, Vec<u8>>) -> Option<CallOutcome> {
        let content = |observed: &Observed| files.get(Path::new(&observed.file));
        content(self.common.observed.first()?)?;
        let values = self.common.observed.iter().filter_map(|observed| {
            let value = self.common.value(observed, content(observed)?);
            Some((observed.what.clone(), value))
        });
        let values = values.collect();
        Some(CallOutcome { values })
    }

    fn test_code(
        &self,
        input: &InputRecord,
        files: [&BTreeMap<PathBuf, Vec<u8>>; 2],
    ) -> Option<std::result::Result<TestCode, String>> {
        let called = Called {
            name: &self.name,
            common: &self.common,
            variables: &self.variables,
            result: self.result.as_deref(),
        };
        Some(called.code(&input.variables, files))
    }

    fn test_sources(&self) -> &[TestSources] {
        &self.test_sources
    }

    fn symbolic_values(&self, output: &SymbolicOutput) -> Option<Vec<Value>> {
        let observed = self.observed_in(&output.observable)?;
        let versions = output.pieces.iter();
        let values =
            versions.map(|pieces| self.common.symbolic_value(observed, pieces.as_deref()?));
        values.collect()
    }

    fn raw_files(&self) -> Vec<RawFile> {
        let all = self.common.observed.iter();
        let all = all.map(|observed| RawFile {
            name: observed.file.clone(),
            format: od_format(observed),
            observed: observed.what.clone(),
        });
        all.collect()
    }
}

/// What a run of a driver met and could not compare.
pub(crate) fn unseen(program: &Program, coverage: &Coverage) -> Vec<String> {
    let unseen = program.module().function_named("parallax_unseen");
    let unseen = unseen.filter(|&function| !coverage.blocks(program, function).is_empty());
    let unseen = unseen.map(|_| {
        "all of the memory that can be reached: a run left the address of an object where no type says that there is a pointer, or a \
             pointer to a struct that is only declared"
            .to_owned()
    });
    unseen.into_iter().collect()
}

/// How many elements a pointer to numbers has, and bytes a text.
pub(crate) const DEFAULT_ELEMENTS: u16 = 4;

/// How many objects of a type that refers to itself follow each other.
pub(crate) const DEFAULT_DEPTH: u16 = 3;

/// How conditions write where a pointer points to.
pub(crate) fn pointer_kind(choices: &[Choice]) -> VariableKind {
    let names = choices.iter().zip(0..);
    let names = names.map(|(choice, number)| {
        let name = match choice {
            Choice::Null => "NULL",
            Choice::Fresh => "an object",
            Choice::Alias(other) => other,
            Choice::First => "as at the start",
        };
        (name.to_owned(), number)
    });
    VariableKind::Enumeration(names.collect())
}

/// The format of a single number; bytes otherwise.
fn od_format(observed: &Observed) -> &'static str {
    let scalar = match &observed.content {
        Content::Value([_, Shape::Scalar(scalar)]) => scalar.clone(),
        Content::Errno => Scalar::Signed(4),
        Content::Position => Scalar::Signed(8),
        Content::Bytes => Scalar::Character,
        _ => return "x1",
    };
    match scalar {
        Scalar::Signed(1) => "d1",
        Scalar::Signed(2) => "d2",
        Scalar::Signed(4) | Scalar::Enumeration { bytes: 4, .. } => "d4",
        Scalar::Signed(8) => "d8",
        Scalar::Unsigned(1) | Scalar::Truth => "u1",
        Scalar::Unsigned(2) => "u2",
        Scalar::Unsigned(4) => "u4",
        Scalar::Unsigned(8) => "u8",
        Scalar::Float(4) => "fF",
        Scalar::Float(8) => "fD",
        Scalar::Character => "c",
        _ => "x1",
    }
}

/// Refuses what is no name of a function that can be compared.
pub fn check_name(name: &str) -> Result<()> {
    let own = name.rsplit(':').next().unwrap_or(name);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = own.starts_with(|first: char| !first.is_ascii_digit());
    if !starts || !own.chars().all(is_word) {
        return Err(Error::Usage(format!(
            "`{own}` is no name of a C function; write `--fn NAME`, or `--fn FILE:NAME` if several files have one"
        )));
    }
    if own == "main" {
        let why = "`main` is the program itself; leave `--fn` out to compare it";
        return Err(Error::Usage(why.to_owned()));
    }
    Ok(())
}

/// Why a function cannot be compared that is not there.
fn missing(
    builder: &Builder<'_>,
    sources: &[Sources; 2],
    template: &Request,
    name: &str,
    is_there: [bool; 2],
) -> Error {
    let which = match is_there {
        [true, _] => "the new version has no function",
        [_, true] => "the old version has no function",
        _ => "neither version has a function",
    };
    let other = match is_there {
        [true, _] => "; the old one has, so a call of it has nothing to be compared with",
        [_, true] => "; the new one has, so a call of it has nothing to be compared with",
        _ => "",
    };
    let own = name.rsplit(':').next().unwrap_or(name);
    let lacking = sources
        .iter()
        .zip(is_there)
        .filter(|(_, is_there)| !is_there);
    let mut known = Vec::new();
    for (sources, _) in lacking {
        match find::names(builder, sources, template) {
            Ok(names) => known.extend(names),
            Err(error) => return error,
        }
    }
    known.sort();
    known.dedup();
    let mut near: Vec<(usize, String)> = known
        .into_iter()
        .map(|known| (distance(own, &known), known))
        .filter(|(far, known)| *far <= 1 + own.len() / 3 || known.contains(own))
        .collect();
    near.sort();
    let near: Vec<String> = near
        .into_iter()
        .take(5)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    let similar = match near.is_empty() {
        true => "; `parallax diff` lists the functions".to_owned(),
        false => format!("; similar: {}", near.join(", ")),
    };
    Error::Usage(format!("{which} `{own}` with a body{other}{similar}"))
}

/// Levenshtein's edit distance.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, character) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (column, there) in other.iter().enumerate() {
            let replaced = before + usize::from(character != *there);
            before = row[column + 1];
            row[column + 1] = replaced.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_by_edits() {
        assert_eq!(distance("minimum", "minimum"), 0);
        assert_eq!(distance("minimun", "minimum"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn conditions_change_nothing() {
        for good in [
            "n == 3",
            "a[0] <= b && c != '='",
            "x >= 1 << 3",
            r#"strcmp(s, "a=\"b") == 0"#,
        ] {
            assert!(check_condition(good).is_ok(), "{good}");
        }
        for bad in [
            "n = 3",
            "n++ < 4",
            "--n",
            "n += 1",
            "n <<= 2",
            "p->x=1",
            "n == (k = 1)",
        ] {
            assert!(check_condition(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_functions_are_words() {
        for good in ["min", "_x2", "a.c:min", "src/a.c:f"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "2x", "a b", "f()", "a.c:", "main", "x.c:main"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_common_type_has_the_values_of_both() {
        use Scalar::{Float, Signed, Truth, Unsigned};
        assert_eq!(Signed(4).common(&Signed(8)), Some(Signed(8)));
        assert_eq!(Signed(4).common(&Unsigned(4)), Some(Signed(8)));
        assert_eq!(Unsigned(8).common(&Signed(1)), Some(Signed(16)));
        assert_eq!(Unsigned(1).common(&Signed(4)), Some(Signed(4)));
        assert_eq!(Truth.common(&Signed(4)), Some(Signed(4)));
        assert_eq!(Float(4).common(&Float(8)), Some(Float(8)));
        assert_eq!(Float(4).common(&Signed(4)), None);
        assert_eq!(Unsigned(16).common(&Signed(16)), None);
    }
}
