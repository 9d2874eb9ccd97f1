//! `parallax check OLD NEW --fn NAME`: compares one function of both versions on all its arguments.
//!
//! For each version a *driver* is made (`driver.rs`): a program that takes the function's arguments from the input,
//! calls it, and writes what can be seen of the call into files. From there on, two programs are compared as always. What
//! this module knows more than they do is how to read it: arguments, results and conditions have names and types.

mod driver;
mod effects;
mod find;
mod layout;
mod space;
mod text;
mod types;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use exploration::InputRecord;
use exploration::compare::Observable;
use exploration::outputs::SymbolicOutput;
use expr::VariableKinds;
use program_ir::Module;
use serde_json::{Value, json};

use super::Arguments;
use super::version_files::VersionFiles;
use build::error::BuildError;
use build::{Builder, Request};
use find::{Function, Sources};
use native::test_case::Expected;
use space::{Common, Encoding, Observed, What};
use types::Scalar;
use version_diff::own_changes::{self as comparison, Compared, Place};

/// The name that drivers have in source locations.
pub(super) const DRIVER: &str = "parallax_driver.c";

/// A function that is compared.
pub(super) struct FunctionCheck {
    name: String,
    common: Common,
    pub(super) requests: [Request; 2],
    pub(super) golden: Option<Request>,
    pub(super) kinds: Arc<VariableKinds>,
    elements: u64,
    assumed: Vec<String>,
    sources: [PathBuf; 2],
}

/// Whether a driver calls the function at all: the compiler leaves the call out if an assumption is false by itself.
pub(super) fn may_be_called(module: &Module) -> bool {
    module.function_named("parallax_clear_errno").is_some()
}

/// Whether a run of a driver has called the function: right before, it calls another one that nothing else does.
pub(super) fn is_called(program: &Program, coverage: &Coverage) -> bool {
    let module = program.module();
    let before = module.function_named("parallax_clear_errno");
    before.is_some_and(|before| !coverage.blocks(program, before).is_empty())
}

impl FunctionCheck {
    /// The drivers for the function that the arguments name, if they do.
    pub(super) fn prepare(
        builder: &Builder<'_>,
        files: &VersionFiles,
        arguments: &Arguments,
    ) -> anyhow::Result<Option<FunctionCheck>> {
        let options = &arguments.function;
        let Some(name) = &options.function else {
            ensure!(
                options.fn_assume.is_empty() && options.fn_array.is_none(),
                "`--fn-assume` and `--fn-array` are about the arguments of a function; say which with `--fn NAME`"
            );
            return Ok(None);
        };
        check_name(name)?;
        ensure!(
            !arguments.input.has_arguments(),
            "`--fn` calls a function, which has no command line: leave `--sym-arg`, `--sym-args` and the program's \
             arguments out. All arguments of the function are tried"
        );
        let elements = u64::from(options.fn_array.unwrap_or(DEFAULT_ELEMENTS));
        let template = arguments.versions.options.request(&[], &[]);
        let target = template.target.as_deref();
        let sources = [&files.old, &files.new].map(|own| Sources::of(own, &files.new, target));
        let [old, new] = sources;
        let sources = [
            old.context("the old version")?,
            new.context("the new version")?,
        ];
        let mut found = Vec::new();
        for (sources, which) in sources.iter().zip(["old", "new"]) {
            let function = find::find(builder, sources, &template, name);
            found.push(function.with_context(|| format!("the {which} version"))?);
        }
        let (mut old, mut new) = match (found.remove(0), found.remove(0)) {
            (Some(old), Some(new)) => (old, new),
            (old, new) => {
                let is_there = [old.is_some(), new.is_some()];
                return Err(missing(builder, &sources, &template, name, is_there));
            }
        };
        find::look_for_globals(builder, &sources[0], &template, &mut old, &new)?;
        find::look_for_globals(builder, &sources[1], &template, &mut new, &old)?;
        let common = Common::of(&old, &new, elements);
        let assumed = &options.fn_assume;
        let request = |function: &Function, sources: &Sources, view: &space::View| {
            let text = driver::driver(function, view, &common, assumed);
            let texts = [text, driver::OBSERVE.to_owned()];
            let request = sources.request(builder, &template, &function.source, &texts)?;
            match builder.module(&request) {
                Err(BuildError::DoesNotCompile { message, .. })
                    if !assumed.is_empty() && find::is_about_driver(&message) =>
                {
                    bail!(
                        "`--fn-assume` needs a C expression over the parameters of `{}`, as in `--fn-assume 'n >= 0 && n < \
                         4'`; the compiler says:\n{message}",
                        function.name
                    )
                }
                _ => Ok(request),
            }
        };
        let requests = [
            request(&old, &sources[0], &common.views[0])?,
            request(&new, &sources[1], &common.views[1])?,
        ];
        let golden = match &arguments.golden[..] {
            [] => None,
            own => {
                let sources = Sources::of(own, &files.new, target).context("the golden version")?;
                let function = find::find(builder, &sources, &template, name)?;
                let function = function
                    .with_context(|| format!("the golden version has no function `{name}`"))?;
                let view = common.view(&function, elements)?;
                Some(request(&function, &sources, &view)?)
            }
        };
        let kinds = common.inputs.iter();
        let kinds = kinds.map(|input| (input.name.clone(), input.scalar.kind()));
        Ok(Some(FunctionCheck {
            name: new.name.clone(),
            kinds: Arc::new(kinds.collect()),
            requests,
            golden,
            elements,
            assumed: assumed.clone(),
            sources: [old.source, new.source],
            common,
        }))
    }

    /// What has changed of the code that a call can reach.
    pub(super) fn compare(&self, modules: &[Module]) -> anyhow::Result<Compared> {
        let prepared = |version: usize| {
            let mut module = modules[version].clone();
            comparison::prepare(&mut module, &Place::of(&self.sources[version]));
            module
        };
        Ok(comparison::compare(prepared(0), prepared(1))?)
    }

    /// Whether there are inputs for which the function is not called: those that an assumption excludes, and
    /// values that fit the parameter's type in one version only.
    pub(super) fn leaves_out(&self) -> bool {
        !self.assumed.is_empty()
            || (self.common.inputs.iter()).any(|input| input.differing.is_some())
    }

    pub(super) fn left_out(&self) -> &[String] {
        &self.common.left_out
    }

    /// If parameters come in another order, a reader may expect that places count: says that names do.
    pub(super) fn matched(&self) -> Option<String> {
        let calls = self.common.matched.as_ref()?;
        Some(format!("parameters are matched by name: {calls}"))
    }

    /// The files that define it, in the old version and in the new one.
    pub(super) fn sources(&self) -> &[PathBuf; 2] {
        &self.sources
    }

    /// `min of old.c`.
    pub(super) fn of(&self, files: &str) -> String {
        format!("{} of {files}", self.name)
    }

    pub(super) fn default_folder(&self, folder: &Path) -> PathBuf {
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", self.name));
        folder.with_file_name(name)
    }

    /// The input space in words. `other` is what varies besides the arguments.
    pub(super) fn bounds(&self, other: Vec<String>) -> Vec<String> {
        let mut bounds = vec![match self.common.parameters.is_empty() {
            true => format!("{} has no parameters", self.name),
            false => format!("arguments of {}: every value", self.name),
        }];
        let mut has_pointers = false;
        let blocks = self.common.views[1].blocks.iter().flatten();
        for block in blocks.filter(|block| !block.by_value) {
            has_pointers = true;
            let is_text = block.leaves.last().is_some_and(|leaf| !leaf.is_input);
            let elements = block.size / block.element.max(1);
            bounds.push(match (is_text, elements) {
                (true, _) => format!("{}: texts of up to {} bytes", block.name, self.elements),
                (false, 1) => format!("{}: 1 element", block.name),
                (false, elements) => format!("{}: {elements} elements", block.name),
            });
        }
        if has_pointers {
            bounds.push("pointers are not NULL and point to memory of their own".to_owned());
        }
        bounds.extend(self.common.notes.iter().cloned());
        bounds.push("globals have their first values".to_owned());
        let assumed = self.assumed.iter();
        bounds.extend(assumed.map(|condition| format!("only where {condition}")));
        let other = other.into_iter().filter(|bound| bound != "no arguments");
        bounds.extend(other);
        bounds
    }

    /// `min(x = 3, y = -1)`.
    pub(super) fn call(&self, input: &InputRecord) -> String {
        let arguments = self.common.arguments(&input.variables).into_iter();
        let arguments: Vec<String> = arguments
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        format!("{}({})", self.name, arguments.join(", "))
    }

    /// The same for machines.
    pub(super) fn call_json(&self, input: &InputRecord) -> Value {
        let arguments = self.common.arguments(&input.variables).into_iter();
        let arguments: serde_json::Map<String, Value> = arguments
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        json!({"text": self.call(input), "arguments": arguments})
    }

    fn observed(&self, observable: &Observable) -> Option<&Observed> {
        let Observable::File(path) = observable else {
            return None;
        };
        let mut all = self.common.observed.iter();
        all.find(|observed| Path::new(path).file_name() == Some(observed.file.as_ref()))
    }

    /// What an observable of the driver is to the function.
    pub(super) fn title(&self, observable: &Observable) -> Option<String> {
        self.observed(observable)
            .map(|observed| title(&observed.what))
    }

    /// The same for machines.
    pub(super) fn kind_json(&self, observable: &Observable) -> Option<Value> {
        Some(match &self.observed(observable)?.what {
            What::Returned => json!("returned"),
            What::Argument(name) => json!({"argument": name}),
            What::Global(name) => json!({"global": name}),
            What::Errno => json!("errno"),
        })
    }

    /// What a version did, in one line.
    pub(super) fn outcome(&self, observable: &Observable, expected: &Expected) -> Option<String> {
        let observed = self.observed(observable)?;
        let bytes = expected.files.get(Path::new(&observed.file))?;
        let value = self.common.value(observed, bytes);
        Some(match observed.what {
            What::Returned => returned(&value),
            _ => format!("{} = {value}", title(&observed.what)),
        })
    }

    /// What the versions leave of something on all inputs of a partition, as values; nothing if that is not about the
    /// call, or its bytes make up no values.
    pub(super) fn output(&self, output: &SymbolicOutput) -> Option<Vec<String>> {
        let observed = self.observed(&output.observable)?;
        let versions = output.pieces.iter();
        let values =
            versions.map(|pieces| self.common.symbolic_value(observed, pieces.as_deref()?));
        values.collect()
    }

    /// How a call ended, if it came back.
    pub(super) fn came_back(&self, expected: &Expected) -> Option<String> {
        let observed = self.common.observed.first()?;
        let bytes = expected.files.get(Path::new(&observed.file))?;
        Some(returned(&self.common.value(observed, bytes)))
    }

    /// All that is known of a call, for machines; null if it did not come back.
    pub(super) fn outcome_json(&self, expected: &Expected) -> Value {
        if self.came_back(expected).is_none() {
            return Value::Null;
        }
        let all = self.common.observed.iter().filter_map(|observed| {
            let bytes = expected.files.get(Path::new(&observed.file))?;
            let value = self.common.value(observed, bytes);
            (!value.is_empty()).then(|| (title(&observed.what), Value::from(value)))
        });
        Value::Object(all.collect())
    }

    /// The files of a driver, with what they are and how `od` reads them.
    pub(super) fn raw_files(&self) -> Vec<(String, &'static str, String)> {
        let all = self.common.observed.iter();
        let all = all.map(|observed| {
            let format = od_format(observed);
            (observed.file.clone(), format, title(&observed.what))
        });
        all.collect()
    }
}

/// How many elements a pointer to numbers has, and bytes a text.
const DEFAULT_ELEMENTS: u16 = 4;

fn title(what: &What) -> String {
    match what {
        What::Returned => "returned value".to_owned(),
        What::Argument(name) => format!("*{name}"),
        What::Global(name) => format!("global {name}"),
        What::Errno => "errno".to_owned(),
    }
}

fn returned(value: &str) -> String {
    match value {
        "" => "returns".to_owned(),
        value => format!("returns {value}"),
    }
}

/// One format if all values have the same type; bytes otherwise.
fn od_format(observed: &Observed) -> &'static str {
    let format = |encoding: &Encoding| match encoding {
        Encoding::Scalar(scalar) => match scalar {
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
        },
        _ => "x1",
    };
    let mut formats = observed.parts.iter().map(|part| format(&part.encoding));
    let first = formats.next().unwrap_or("x1");
    match formats.all(|format| format == first) {
        true => first,
        false => "x1",
    }
}

fn check_name(name: &str) -> anyhow::Result<()> {
    let own = name.rsplit(':').next().unwrap_or(name);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = own.starts_with(|first: char| !first.is_ascii_digit());
    ensure!(
        starts && own.chars().all(is_word),
        "`{own}` is no name of a C function; write `--fn NAME`, or `--fn FILE:NAME` if several files have one"
    );
    if own == "main" {
        bail!("`main` is the program itself; leave `--fn` out to compare it");
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
) -> anyhow::Error {
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
    anyhow::anyhow!("{which} `{own}` with a body{other}{similar}")
}

/// Levenshtein's edit distance.
fn distance(one: &str, other: &str) -> usize {
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
