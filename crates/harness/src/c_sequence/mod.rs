//! Sequences of calls of the functions of a handle type, in two versions (`parallax check OLD NEW --sequence TYPE`).
//!
//! As DiffGen's test drivers (Taneja and Xie, §3.1.2), a driver makes an object with a constructor, and then makes calls on it that
//! the input chooses, with arguments out of the input; both versions make the same calls. What each returns is compared, and at the
//! end what the objects look like, up to renaming of addresses. Three things differ from the paper: what the versions return is
//! compared after every call, not only after the last; functions that only look are called when the state is reached, not on the way
//! (they do not change it, `purity.rs`); and there is one input for both versions, without a copy of the other version in the same program.
//!
//! | file | idea |
//! |---|---|
//! | `members.rs` | which functions there are, and what each is for |
//! | `purity.rs` | whether a function only looks |
//! | `space.rs` | the sequences as inputs |
//! | `driver.rs` | the driver |
//! | `values.rs` | sequences as code, and what is seen of them |

mod driver;
mod members;
mod purity;
mod space;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use build::{Builder, Request};
use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use exploration::compare::Observable;
use exploration::outputs::{Piece, SymbolicOutput};
use exploration::{InputRecord, InputSpace};
use expr::VariableKinds;
use program_ir::Module;
use serde::{Deserialize, Serialize};

use crate::build_options::BuildOptions;
use crate::c_function::bounds::{memory_bounds, shortened};
use crate::c_function::find::{Function, GlobalVariable, Sources, look_for_globals};
use crate::c_function::layout::Extent;
use crate::c_function::space::{Common, Content};
use crate::c_function::{DEFAULT_DEPTH, DEFAULT_ELEMENTS, FunctionSpec, support};
use crate::call::{Call, CallObservable, CallOutcome};
use crate::error::{Error, OfVersion, Result};
use crate::types::{Shape, Types};
use crate::value::Value;
use crate::whole_program::program_name;
use crate::{Harness, RawFile, folder_of};
use members::{Candidate, Interface};
use space::{Member, Space};

/// What a function of a handle type is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Constructor,
    Mutator,
    Observer,
    Destructor,
}

/// What functions are for, where somebody has said so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// By function; [`NULL`] is a constructor.
    pub named: BTreeMap<String, Role>,
    /// Functions that are not called.
    pub leave_out: BTreeSet<String>,
}

impl Roles {
    fn of(&self, name: &str) -> Option<Role> {
        self.named.get(name).copied()
    }
}

/// The constructor of objects that are a NULL pointer at first.
pub const NULL: &str = "NULL";

/// There are at most so many handles.
const MOST_HANDLES: usize = 2;

/// The longest sequence.
pub const MOST_LENGTH: u16 = 32;

/// Which sequences are compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SequenceSpec {
    /// A struct, or a `typedef` of one or of a pointer to it.
    pub handle: String,
    /// How many calls follow the constructor at most; `None` if that grows.
    pub length: Option<u16>,
    pub roles: Roles,
    /// Objects are not compared, only what calls give out: for a version that keeps the same things in another way.
    pub calls_only: bool,
    /// What holds for the arguments of each call. Its conditions begin with the name of a function: `push: value > 0`.
    pub arguments: FunctionSpec,
}

/// Sequences of calls on a handle type of two versions.
pub struct CallSequence {
    name: String,
    space: Space,
    requests: [Request; 2],
    kinds: Arc<VariableKinds>,
    sources: [PathBuf; 2],
    not_called: Vec<String>,
    left_out: Vec<String>,
    program_name: Vec<u8>,
    folder: PathBuf,
}

impl CallSequence {
    /// The drivers for two versions.
    pub fn new(
        builder: &Builder<'_>,
        versions: [&[PathBuf]; 2],
        options: &BuildOptions,
        spec: &SequenceSpec,
    ) -> Result<CallSequence> {
        let template = options.request(&[], &[]);
        let target = template.target.as_deref();
        // What files there must be is the same as for one function.
        let of_sequence = |error| match error {
            Error::Usage(text) => Error::Usage(text.replace("`--fn`", "`--sequence`")),
            other => other,
        };
        let [old, new] =
            versions.map(|own| Sources::of(own, versions[1], target).map_err(of_sequence));
        let sources = [old.of_version("old")?, new.of_version("new")?];
        let mut interfaces = Vec::new();
        for (sources, which) in sources.iter().zip(["old", "new"]) {
            let found = members::find(builder, sources, &template, &spec.handle, &spec.roles);
            interfaces.push(found.of_version(which)?);
        }
        let (new, old) = (interfaces.pop(), interfaces.pop());
        let interfaces = [old, new].map(|one| one.expect("both versions were looked at"));
        let class = interfaces[1].class.clone();
        let mut parts = Parts::of(interfaces, spec)?;
        for version in [0, 1] {
            let (own, other) = parts.whole.split_at_mut(1);
            let (own, other) = match version {
                0 => (&mut own[0], &other[0]),
                _ => (&mut other[0], &own[0]),
            };
            look_for_globals(builder, &sources[version], &template, own, other)?;
        }
        let (not_called, mut left_out) = (std::mem::take(&mut parts.not_called), Vec::new());
        let space = parts.space(spec, &class, &mut left_out)?;
        let files = [0, 1].map(|version| space.functions[version].source.clone());
        let mut requests = Vec::new();
        for version in [0, 1] {
            let text = driver::driver(&space, version, &files[version]);
            let (source, support) = (&files[version], support(&space.whole));
            let request =
                sources[version].request(builder, &template, source, Some(&text), support)?;
            if let Err(error) = builder.module(&request)
                && let Some(message) = members::is_of_driver(&error)
                && !spec.arguments.assumed.is_empty()
            {
                return Err(Error::Usage(format!(
                    "`--fn-assume` needs a function and a C expression over its parameters, as in `--fn-assume 'push: value > 0'`; \
                     the compiler says:\n{message}"
                )));
            }
            requests.push(request);
        }
        let (new, old) = (requests.pop(), requests.pop());
        Ok(CallSequence {
            name: format!("sequences of up to {} on {class}", calls(space.length)),
            kinds: Arc::new(space.kinds()),
            requests: [old, new].map(|one| one.expect("both versions have a driver")),
            space,
            sources: files,
            not_called,
            left_out,
            program_name: program_name(&[versions[1].to_vec()]),
            folder: folder_of(&versions[1][0]),
        })
    }

    /// The same under another name than that of its files.
    pub fn named(mut self, name: Option<PathBuf>) -> CallSequence {
        if let Some(name) = name {
            self.folder = folder_of(&name);
            self.program_name = name.into_os_string().into_vec();
        }
        self
    }

    fn roles(&self, role: Role) -> Vec<&str> {
        values::of_role(&self.space.members, role)
    }
}

fn calls(count: u64) -> String {
    match count {
        1 => "1 call".to_owned(),
        count => format!("{count} calls"),
    }
}

/// What sequences are put together of.
struct Parts {
    members: Vec<(Role, [Candidate; 2])>,
    handle: [Shape; 2],
    /// All functions as one, by version.
    whole: [Function; 2],
    not_called: Vec<String>,
    may_be_null: bool,
}

impl Parts {
    /// The functions that both versions have.
    fn of(interfaces: [Interface; 2], spec: &SequenceSpec) -> Result<Parts> {
        let mut not_called = not_called(&interfaces);
        let is_complete =
            (interfaces.iter()).all(|interface| matches!(interface.target, Shape::Named { .. }));
        let class = interfaces[1].class.clone();
        let handle = [0, 1].map(|version: usize| Shape::Pointer {
            to: Box::new(interfaces[version].target.clone()),
            read_only: false,
            restrict: false,
        });
        let [old, new] = interfaces;
        let mut before = old.candidates;
        let mut members = Vec::new();
        for candidate in new.candidates {
            let name = candidate.function.name.clone();
            let place = before.iter().position(|old| old.function.name == name);
            let Some(place) = place else {
                continue;
            };
            let both = [before.swap_remove(place), candidate];
            let role = members::role([&both[0], &both[1]], is_complete, &spec.roles);
            match cannot_be_called(&both, role, is_complete) {
                Some(why) => not_called.push(format!("{name}: {why}")),
                None => members.push((role, both)),
            }
        }
        let names: Vec<String> = (members.iter())
            .map(|(_, both)| both[1].function.name.clone())
            .collect();
        let may_be_null = spec.roles.of(NULL) == Some(Role::Constructor);
        let mut is_constructor = members.iter().map(|(role, _)| *role);
        if !may_be_null && !is_constructor.any(|role| role == Role::Constructor) {
            return Err(members::no_constructor(&class, &spec.handle, &names));
        }
        let assumed = assumed(spec)?;
        let asked = spec
            .roles
            .named
            .keys()
            .chain(assumed.iter().map(|(name, _)| name));
        for name in asked.filter(|name| *name != NULL) {
            if !names.contains(name) {
                return Err(members::missing(name, &names));
            }
        }
        let Some((_, first)) = members.first() else {
            return Err(members::no_constructor(&class, &spec.handle, &names));
        };
        let whole = [0, 1].map(|version| Function {
            name: first[version].function.name.clone(),
            source: first[version].function.source.clone(),
            parameters: Vec::new(),
            returns: Ok(None),
            result: None,
            uses_errno: false,
            library: BTreeSet::new(),
            variadic: false,
            globals: Vec::new(),
            types: Types::new(),
            counts: Vec::new(),
            lengths: Vec::new(),
        });
        let mut parts = Parts {
            members,
            handle,
            whole,
            not_called,
            may_be_null,
        };
        parts.take_globals();
        Ok(parts)
    }

    /// What the functions do to variables, and to what the C library and the system keep, is that of all of them.
    fn take_globals(&mut self) {
        for (_, both) in &mut self.members {
            for (whole, own) in self.whole.iter_mut().zip(both) {
                for global in std::mem::take(&mut own.function.globals) {
                    add_global(&mut whole.globals, global);
                }
                whole.library.append(&mut own.function.library);
                whole.uses_errno |= own.function.uses_errno;
                for (name, shape) in &own.function.types {
                    whole.types.entry(name.clone()).or_insert(shape.clone());
                }
            }
        }
    }

    fn space(self, spec: &SequenceSpec, class: &str, left_out: &mut Vec<String>) -> Result<Space> {
        let extent = Extent {
            elements: u64::from(spec.arguments.elements.unwrap_or(DEFAULT_ELEMENTS)),
            depth: u64::from(spec.arguments.depth.unwrap_or(DEFAULT_DEPTH)),
            null: spec.arguments.null,
        };
        let plain = FunctionSpec {
            first_values: true,
            ..spec.arguments.clone()
        };
        let assumed = assumed(spec)?;
        let mut whole = Common::of(&self.whole[0], &self.whole[1], extent, &plain);
        // `errno` is compared after each call.
        whole
            .observed
            .retain(|own| own.content != Content::Nothing && own.what != CallObservable::Errno);
        whole.seen.add(&format!("*{class}"), &self.handle);
        whole.say_what_is_compared();
        left_out.append(&mut whole.left_out);
        let mut members = Vec::new();
        for (role, [old, new]) in self.members {
            let mut common = Common::of(&old.function, &new.function, extent, &plain);
            let name = new.function.name.clone();
            for observed in &common.observed {
                if let Content::Value(pair) | Content::Memory(_, pair) = &observed.content {
                    whole.seen.add(&name, pair);
                }
            }
            if spec.calls_only && old.gives {
                let mut observed = common.observed.iter_mut();
                let returned = observed.find(|own| own.what == CallObservable::Returned);
                if let Some(returned) = returned {
                    returned.content = Content::Nothing;
                }
            }
            let own = common.left_out.drain(..);
            left_out.extend(own.map(|what| format!("{name}: {what}")));
            let assumed = assumed.iter().filter(|(function, _)| *function == name);
            members.push(Member {
                role,
                prefix: values::prefix(&name),
                assumed: assumed.map(|(_, condition)| condition.clone()).collect(),
                name,
                handles: [old.handles, new.handles],
                gives: old.gives && new.gives,
                functions: [old.function, new.function],
                common,
            });
        }
        // Those of the functions were said above.
        whole.seen.left_out.clear();
        whole.seen.notes.clear();
        for member in &mut members {
            member.common.seen = whole.seen.clone();
        }
        let most = members.iter().map(|member| member.handles[1].len()).max();
        let mut space = Space {
            length: u64::from(spec.length.unwrap_or(1)),
            members,
            handles: handle_names(class, most.unwrap_or(1)),
            handle: self.handle,
            whole,
            functions: self.whole,
            alternatives: Vec::new(),
            begin: Vec::new(),
            go_on: Vec::new(),
            look: Vec::new(),
            look_for: Vec::new(),
            may_be_null: self.may_be_null,
            states: !spec.calls_only,
        };
        space.find_alternatives();
        let blocks = space.blocks() * (usize::from(MOST_LENGTH) + space.look.len() + 4);
        if space.alternatives.len() > MOST_ALTERNATIVES || blocks > MOST_BLOCKS {
            return Err(Error::Unsupported(format!(
                "`{class}` has too many functions, or too large arguments, for sequences: name those that matter in \
                 `parallax.toml`, and leave the others out"
            )));
        }
        Ok(space)
    }
}

/// A choice is a byte.
const MOST_ALTERNATIVES: usize = 200;

/// `observe.c` knows so many.
const MOST_BLOCKS: usize = 4096;

/// The functions that are not called, each with the reason.
fn not_called(interfaces: &[Interface; 2]) -> Vec<String> {
    let mut all = Vec::new();
    let [old, new] = interfaces;
    let has = |interface: &Interface, name: &str| {
        let mut left_out = interface.left_out.iter();
        interface
            .candidates
            .iter()
            .any(|own| own.function.name == name)
            || left_out.any(|(own, _)| own == name)
    };
    for (own, other, which) in [(old, new, "old"), (new, old, "new")] {
        for candidate in &own.candidates {
            let name = &candidate.function.name;
            if !has(other, name) {
                all.push(format!("{name}: it is only in the {which} version"));
            }
        }
        for (name, why) in &own.left_out {
            all.push(format!("{name}: {why}"));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Why a function that both versions have is not called.
fn cannot_be_called(both: &[Candidate; 2], role: Role, is_complete: bool) -> Option<String> {
    let [old, new] = both;
    if old.handles.len() != new.handles.len() {
        return Some(format!(
            "it takes {} of the type in the old version and {} in the new one",
            old.handles.len(),
            new.handles.len()
        ));
    }
    if new.handles.len() > MOST_HANDLES {
        return Some(format!("it takes more than {MOST_HANDLES} of the type"));
    }
    if old.gives != new.gives {
        return Some("it returns the type in one version only".to_owned());
    }
    let is_filled = (new.handles.first()).is_some_and(|first| !first.by_address);
    if role == Role::Constructor && is_filled && !is_complete {
        return Some("what it fills is only declared".to_owned());
    }
    None
}

fn add_global(globals: &mut Vec<GlobalVariable>, global: GlobalVariable) {
    match globals.iter_mut().find(|own| own.name == global.name) {
        Some(own) => {
            own.may_change |= global.may_change;
            own.is_touched |= global.is_touched;
            own.is_written |= global.is_written;
        }
        None => globals.push(global),
    }
}

/// The conditions, each with its function.
fn assumed(spec: &SequenceSpec) -> Result<Vec<(String, String)>> {
    let all = spec.arguments.assumed.iter().map(|text| {
        let parts = text.split_once(':');
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let parts = parts.filter(|(name, _)| {
            let name = name.trim();
            !name.is_empty() && name.chars().all(is_word)
        });
        let (name, condition) = parts.ok_or_else(|| {
            Error::Usage(format!(
                "`--fn-assume {text}` does not say which function it is about; with `--sequence`, write `--fn-assume 'FUNCTION: \
                 CONDITION'`"
            ))
        })?;
        Ok((name.trim().to_owned(), condition.trim().to_owned()))
    });
    all.collect()
}

/// What the handles are called in code: as the first letter of their type.
fn handle_names(class: &str, most: usize) -> Vec<String> {
    let tag = class.strip_prefix("struct ").unwrap_or(class);
    let letters = tag.chars().filter(char::is_ascii_alphabetic);
    let first = letters.map(|letter| letter.to_ascii_lowercase()).next();
    let first = first.unwrap_or('h').to_string();
    match most {
        2 => vec![first.clone(), format!("{first}2")],
        _ => vec![first],
    }
}

impl Harness for CallSequence {
    fn requests(&self) -> &[Request] {
        &self.requests
    }

    fn golden(&self) -> Option<&Request> {
        None
    }

    fn function(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn program_name(&self) -> Vec<u8> {
        self.program_name.clone()
    }

    fn default_folder(&self) -> PathBuf {
        let mut name = self.folder.file_name().unwrap_or_default().to_owned();
        let class = self.space.handle[1].class();
        let class = class.rsplit([' ', '/']).next().unwrap_or_default();
        name.push(format!(".{class}-sequences"));
        self.folder.with_file_name(name)
    }

    fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    fn place(&self, version: usize) -> PathBuf {
        self.sources[version].clone()
    }

    fn has_own_input(&self, _: &[Module]) -> bool {
        true
    }

    fn fit(&self, space: &mut InputSpace) {
        space.args.clear();
    }

    fn bounds(&self, space: &InputSpace) -> Vec<String> {
        let own = &self.space;
        let mut begin = self.roles(Role::Constructor);
        begin.extend(own.may_be_null.then_some(NULL));
        let mut bounds = vec![format!("sequences that begin with {}", begin.join(" or "))];
        let calls = calls(own.length);
        let mutators = self.roles(Role::Mutator);
        if !mutators.is_empty() {
            bounds.push(format!("then up to {calls} of {}", mutators.join(", ")));
        }
        let destructors = self.roles(Role::Destructor);
        if !destructors.is_empty() {
            bounds.push(format!(
                "of {} at most one, which is the last call",
                destructors.join(", ")
            ));
        }
        let look = |all: &[usize]| -> Vec<&str> {
            let all = all
                .iter()
                .filter_map(|&which| own.alternatives[which].member);
            let names: BTreeSet<&str> = all
                .map(|member| own.members[member].name.as_str())
                .collect();
            names.into_iter().collect()
        };
        let (all, one_of) = (look(&own.look), look(&own.look_for));
        if !all.is_empty() {
            bounds.push(format!("at the end {}", all.join(", ")));
        }
        if !one_of.is_empty() {
            bounds.push(format!("at the end one of {}", one_of.join(", ")));
        }
        if own.handles.len() > 1 {
            bounds.push(
                "at most two objects, and a call that takes two takes different ones".to_owned(),
            );
        }
        if !own.states {
            bounds.push("objects are compared by what calls give out alone".to_owned());
        }
        if !own.may_be_null {
            bounds.push("no call with NULL for an object".to_owned());
        }
        bounds.push("arguments: every value".to_owned());
        let mut more = own.whole.notes.clone();
        for member in &own.members {
            let all = memory_bounds(&member.common).into_iter();
            let all = all.chain(member.common.notes.iter().cloned());
            for bound in all.filter(|bound| !own.whole.notes.contains(bound)) {
                more.push(format!("{}: {bound}", member.name));
            }
        }
        more.dedup();
        bounds.extend(more);
        bounds.push("globals have their first values".to_owned());
        for member in &own.members {
            let assumed = member.assumed.iter();
            bounds
                .extend(assumed.map(|condition| format!("{} only where {condition}", member.name)));
        }
        if !self.not_called.is_empty() {
            let names = self.not_called.iter();
            let names = names.map(|text| text.split(':').next().unwrap_or(text).to_owned());
            let names = shortened(names.collect(), "functions");
            bounds.push(format!("not called: {}", names.join(", ")));
        }
        let command_line = usize::from(space.args.is_empty());
        bounds.extend(space.bounds().into_iter().skip(command_line));
        bounds
    }

    fn variable_kinds(&self) -> Arc<VariableKinds> {
        self.kinds.clone()
    }

    fn leaves_out_inputs(&self) -> bool {
        self.space.members.iter().any(|member| {
            let mut inputs = member.common.inputs.iter();
            !member.assumed.is_empty()
                || !member.common.lengths.is_empty()
                || inputs.any(|input| input.differing.is_some())
        })
    }

    fn may_be_called(&self, module: &Module) -> bool {
        module.function_named("parallax_clear_errno").is_some()
    }

    fn is_meant(&self, program: &Program, coverage: &Coverage) -> bool {
        let module = program.module();
        let before = module.function_named("parallax_clear_errno");
        before.is_some_and(|before| !coverage.blocks(program, before).is_empty())
    }

    fn call(&self, input: &InputRecord) -> Option<Call> {
        Some(Call {
            function: self.name.clone(),
            arguments: Vec::new(),
            variables: Vec::new(),
            sequence: self.space.steps(&input.variables),
        })
    }

    fn matched(&self) -> Option<&str> {
        None
    }

    fn not_called(&self) -> &[String] {
        &self.not_called
    }

    fn left_out(&self) -> &[String] {
        &self.left_out
    }

    fn left_out_in(&self, program: &Program, coverage: &Coverage) -> Vec<String> {
        crate::c_function::unseen(program, coverage)
    }

    /// What calls of a sequence write has the values that it can have.
    fn is_ever_written(&self, variable: &str) -> bool {
        let is_changed = |function: &Function| {
            let mut globals = function.globals.iter();
            globals.any(|own| own.name == variable && own.may_change)
        };
        if self.space.functions.iter().all(is_changed) {
            return false;
        }
        !self.space.whole.unwritten.iter().any(|own| own == variable)
    }

    fn observed(&self, observable: &Observable) -> Option<CallObservable> {
        self.space.observed(file_of(observable)?)
    }

    fn outcome(&self, files: &BTreeMap<PathBuf, Vec<u8>>) -> Option<CallOutcome> {
        files.get(Path::new("parallax.end"))?;
        let values = files.iter().filter_map(|(path, bytes)| {
            let file = path.to_str()?;
            let what = self.space.observed(file)?;
            let bytes: Vec<Piece> = bytes.iter().copied().map(Piece::Constant).collect();
            Some((what, self.space.value(file, &bytes)?))
        });
        let mut values: Vec<(CallObservable, Value)> = values.collect();
        values.sort_by(|one, other| one.0.cmp(&other.0));
        Some(CallOutcome { values })
    }

    fn symbolic_values(&self, output: &SymbolicOutput) -> Option<Vec<Value>> {
        let file = file_of(&output.observable)?;
        self.space.observed(file)?;
        let versions = output.pieces.iter();
        let values = versions.map(|pieces| self.space.value(file, pieces.as_deref()?));
        values.collect()
    }

    fn raw_files(&self) -> Vec<RawFile> {
        let states = self.space.handles.iter();
        let states = states.map(|handle| format!("parallax.state.{handle}"));
        let calls = self.space.calls().into_iter();
        let calls = calls.map(|(label, _)| format!("parallax.call.{label}"));
        let files = calls.chain(states);
        let files = files.filter_map(|name| {
            let observed = self.space.observed(&name)?;
            Some(RawFile {
                name,
                format: "x1",
                observed,
            })
        });
        files.collect()
    }
}

fn file_of(observable: &Observable) -> Option<&str> {
    match observable {
        Observable::File(path) => Path::new(path).file_name()?.to_str(),
        _ => None,
    }
}
