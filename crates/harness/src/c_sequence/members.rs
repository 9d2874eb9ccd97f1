//! Finds the functions of a handle type, and what each is for.
//!
//! Which functions there are is known from the debug information: those that take the type or return it. What they are for is taken
//! from their signatures, their code and, where that leaves it open, the words in their names:
//!
//! - a *constructor* returns the type and takes none, or has a word like `init` in its name and fills what it is given;
//! - a *destructor* takes the type and nothing else, and frees it itself or has a word like `free` in its name;
//! - an *observer* writes nothing but variables of its own, in both versions (`purity.rs`);
//! - all others are *mutators*.
//!
//! Only the last is for sure; the others are a guess that the bounds of a verdict state. Who knows better says so ([`Roles`]).

use std::path::{Path, PathBuf};

use build::error::BuildError;
use build::{Builder, Request};
use program_ir::{DebugType, DebugTypeData, Func, Linkage, Module};
use version_diff::own_changes::is_library_file;

use super::purity::{frees, only_looks};
use super::{Role, Roles};
use crate::c_function::distance;
use crate::c_function::find::{self, Function, Parameter, Sources};
use crate::error::{Error, Result};
use crate::full_path;
use crate::read_module;
use crate::types::{Reader, Shape};

/// A parameter that is a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HandleParameter {
    /// Its place among all parameters.
    pub(crate) place: usize,
    /// A pointer to a variable that holds the handle.
    pub(crate) by_address: bool,
    pub(crate) read_only: bool,
}

/// A function of the handle type, in one version.
pub(crate) struct Candidate {
    /// Its parameters are those that are no handles.
    pub(crate) function: Function,
    pub(crate) handles: Vec<HandleParameter>,
    /// Whether it returns a handle.
    pub(crate) gives: bool,
    only_looks: bool,
    frees: bool,
}

/// The functions of the handle type of one version.
pub(crate) struct Interface {
    /// The type, as C spells it.
    pub(crate) class: String,
    /// What a handle points to.
    pub(crate) target: Shape,
    pub(crate) candidates: Vec<Candidate>,
    /// Functions that cannot be called, each with the reason.
    pub(crate) left_out: Vec<(String, String)>,
}

/// Finds all functions of `handle` in a version.
pub(crate) fn find(
    builder: &Builder<'_>,
    sources: &Sources,
    template: &Request,
    handle: &str,
    roles: &Roles,
) -> Result<Interface> {
    let request = sources.request(builder, template, Path::new(""), None, Vec::new())?;
    let module = read_module(builder, &builder.module(&request)?)?;
    let class = class_of(&module, handle).ok_or_else(|| unknown(&module, handle))?;
    let mut interface = Interface {
        target: Shape::Opaque {
            name: class.clone(),
        },
        class,
        candidates: Vec::new(),
        left_out: Vec::new(),
    };
    let mut found = Vec::new();
    for (func, function) in module.functions.iter() {
        let Some(scope) = function.scope else {
            continue;
        };
        let data = &module.source.scopes[scope];
        let is_own = !function.is_declaration() && !is_library_file(&module, data.file);
        let Some(name) = data.function.clone().filter(|_| is_own) else {
            continue;
        };
        if !is_about(&module, func, &interface.class) || roles.leave_out.contains(&name) {
            continue;
        }
        // Others are the module's own business.
        if function.linkage == Linkage::Exported || roles.of(&name).is_some() {
            found.push((func, name, full_path(&module, data.file)));
        }
    }
    let Some(source) = main_source(&found, sources) else {
        return Ok(interface);
    };
    for (func, name, file) in found {
        let is_near = file == source || !sources.files.contains(&file);
        let is_known =
            is_near || find::probe(builder, sources, template, &source, &name, "")?.is_some();
        let read = match is_known {
            true => candidate(&module, func, &name, &source, sources, &mut interface),
            false => Err(format!("`{}` does not declare it", source.display())),
        };
        match read {
            Ok(candidate) => interface.candidates.push(candidate),
            Err(why) => interface.left_out.push((name, why)),
        }
    }
    Ok(interface)
}

/// The source that most of the functions are in.
fn main_source(found: &[(Func, String, PathBuf)], sources: &Sources) -> Option<PathBuf> {
    let count = |source: &&PathBuf| found.iter().filter(|(.., file)| file == *source).count();
    let all = sources.files.iter().rev();
    let most = all.max_by_key(count)?;
    (!found.is_empty()).then(|| most.clone())
}

/// What a pointer to the type is called that a user names: by its tag, or by a `typedef` of it or of a pointer to it.
fn class_of(module: &Module, handle: &str) -> Option<String> {
    let handle = handle.trim_end_matches(['*', ' ']);
    let tag = handle.strip_prefix("struct ").unwrap_or(handle);
    let types = &module.source.types;
    let is_typedef = |data: &&DebugTypeData| matches!(data, DebugTypeData::Typedef { name, .. } if name == handle);
    if let Some(DebugTypeData::Typedef { name, of }) = types.values().find(is_typedef) {
        let mut own = *of;
        let mut anonymous = name.clone();
        loop {
            own = match &types[own?] {
                DebugTypeData::Qualified { of, .. } | DebugTypeData::Pointer { to: of } => *of,
                DebugTypeData::Typedef { name, of } => {
                    anonymous = name.clone();
                    *of
                }
                DebugTypeData::Composite {
                    name,
                    is_union: false,
                    ..
                } => {
                    return Some(match name.is_empty() {
                        true => anonymous,
                        false => format!("struct {name}"),
                    });
                }
                _ => return None,
            }
        }
    }
    let mut all = types.values();
    let is_there = all.any(|data| {
        matches!(data, DebugTypeData::Composite { name, is_union: false, .. } if name == tag && !tag.is_empty())
    });
    is_there.then(|| format!("struct {tag}"))
}

fn unknown(module: &Module, handle: &str) -> Error {
    let own = handle.strip_prefix("struct ").unwrap_or(handle);
    let mut near: Vec<(usize, String)> = (module.source.types.values())
        .filter_map(|data| match data {
            DebugTypeData::Composite {
                name,
                is_union: false,
                ..
            } if !name.is_empty() => Some((name.clone(), format!("struct {name}"))),
            DebugTypeData::Typedef { name, .. } => Some((name.clone(), name.clone())),
            _ => None,
        })
        .map(|(name, shown)| (distance(own, &name), name, shown))
        .filter(|(far, name, _)| *far <= 1 + own.len() / 3 || name.contains(own))
        .map(|(far, _, shown)| (far, shown))
        .collect();
    near.sort();
    near.dedup();
    let near: Vec<String> = (near.into_iter().take(5))
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    let similar = match near.is_empty() {
        true => "; name the struct that the functions of a module take a pointer to, as in `--sequence 'struct stack'`".to_owned(),
        false => format!("; similar: {}", near.join(", ")),
    };
    Error::Usage(format!(
        "there is no struct or `typedef` of one that is called `{own}`{similar}"
    ))
}

fn signature(module: &Module, func: Func) -> &[Option<DebugType>] {
    let scope = module.functions[func].scope;
    let scope = scope.map(|scope| &module.source.scopes[scope]);
    scope.map_or(&[], |scope| &scope.signature[..])
}

/// Whether a function takes or returns a type.
fn is_about(module: &Module, func: Func, class: &str) -> bool {
    let mut reader = Reader::new(module);
    let mut types = signature(module, func).iter();
    types.any(|&ty| {
        let shape = ty.and_then(|ty| reader.shape(Some(ty)).ok());
        shape.is_some_and(|shape| as_handle(&shape, class).is_some())
    })
}

/// Whether a type is that of a handle: a pointer to it, or the address of such a pointer.
fn as_handle(shape: &Shape, class: &str) -> Option<(bool, bool)> {
    let Shape::Pointer { to, read_only, .. } = shape else {
        return None;
    };
    match &**to {
        Shape::Pointer { to, .. } if to.class() == class => Some((true, *read_only)),
        to if to.class() == class && !to.is_pointer() => Some((false, *read_only)),
        _ => None,
    }
}

fn candidate(
    module: &Module,
    func: Func,
    name: &str,
    source: &Path,
    sources: &Sources,
    interface: &mut Interface,
) -> Result<Candidate, String> {
    let read = find::read(module, func, name, source.to_owned(), sources);
    let mut function = read.map_err(|error| reason(&error))?;
    let class = &interface.class;
    let mut handles = Vec::new();
    let mut own: Vec<Parameter> = Vec::new();
    for (place, parameter) in function.parameters.drain(..).enumerate() {
        match as_handle(&parameter.shape, class) {
            Some((by_address, read_only)) => handles.push(HandleParameter {
                place,
                by_address,
                read_only,
            }),
            None => own.push(parameter),
        }
    }
    if function.variadic {
        return Err("it takes further arguments".to_owned());
    }
    for parameter in &own {
        if let Some(why) = cannot_be_made(&parameter.shape, interface, &function) {
            return Err(format!("its parameter `{}` is {why}", parameter.name));
        }
    }
    function.parameters = own;
    let returned = match &function.returns {
        Ok(Some(shape)) => as_handle(shape, class),
        _ => None,
    };
    if let Some(named) = function.types.get(class) {
        interface.target = Shape::Named {
            name: class.clone(),
            size: named.size(),
        };
    }
    let first = handles.first();
    Ok(Candidate {
        gives: matches!(returned, Some((false, _))),
        only_looks: only_looks(module, func),
        frees: first.is_some_and(|first| !first.by_address && frees(module, func, first.place)),
        handles,
        function,
    })
}

/// The reason in an error about `--fn`.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    let text = text.split(": `--fn`").next().unwrap_or(&text);
    text.to_owned()
}

/// Why a parameter cannot be made from nothing.
fn cannot_be_made(shape: &Shape, interface: &Interface, function: &Function) -> Option<String> {
    let types = &function.types;
    let is_part = |class: &str| {
        let own = types.get(&interface.class);
        own.is_some_and(|own| leads_to(own, class, types, &mut Vec::new()))
    };
    match shape.resolved(types) {
        Shape::Function(_) => Some("a pointer to a function".to_owned()),
        Shape::Stream => Some("a `FILE *`".to_owned()),
        own if own.class() == interface.class => Some(format!("a `{}` by value", interface.class)),
        Shape::Pointer { to, .. } => match to.resolved(types) {
            Shape::Opaque { name } => Some(format!("a `{name} *`, of which nothing is known")),
            Shape::Struct { name, .. } | Shape::Union { name, .. } if is_part(name) => {
                Some(format!(
                    "a `{name} *`, a part of `{}` that only other calls give",
                    interface.class
                ))
            }
            Shape::Function(_) => Some("a pointer to pointers to functions".to_owned()),
            _ => None,
        },
        Shape::Struct { fields, .. } | Shape::Union { fields, .. } => {
            let mut fields = fields.iter();
            fields.find_map(|field| cannot_be_made(&field.shape, interface, function))
        }
        _ => None,
    }
}

/// Whether an object of a type may point to one of a class.
fn leads_to(
    shape: &Shape,
    class: &str,
    types: &crate::types::Types,
    known: &mut Vec<String>,
) -> bool {
    match shape {
        Shape::Struct { fields, .. } | Shape::Union { fields, .. } => fields
            .iter()
            .any(|field| leads_to(&field.shape, class, types, known)),
        Shape::Array { element, .. } => leads_to(element, class, types, known),
        Shape::Pointer { to, .. } => leads_to(to, class, types, known),
        Shape::Named { name, .. } if name == class => true,
        Shape::Named { name, .. } if known.contains(name) => false,
        Shape::Named { name, .. } => {
            known.push(name.clone());
            let own = types.get(name);
            own.is_some_and(|own| leads_to(own, class, types, known))
        }
        Shape::Opaque { name } => name == class,
        _ => false,
    }
}

const CONSTRUCTING: [&str; 9] = [
    "init",
    "initialise",
    "initialize",
    "new",
    "create",
    "make",
    "setup",
    "construct",
    "open",
];

const DESTROYING: [&str; 13] = [
    "free", "destroy", "delete", "del", "release", "close", "dispose", "drop", "fini", "finish",
    "deinit", "cleanup", "destruct",
];

/// What a function is for that both versions have.
pub(crate) fn role(both: [&Candidate; 2], is_complete: bool, roles: &Roles) -> Role {
    let [old, new] = both;
    let name = &new.function.name;
    if let Some(role) = roles.of(name) {
        return role;
    }
    let lower = name.to_lowercase();
    let has = |all: &[&str]| lower.split('_').any(|word| all.contains(&word));
    let gives = both.iter().all(|one| one.gives);
    let takes_it_alone = new.handles.len() == 1 && new.function.parameters.is_empty();
    match new.handles.first() {
        None => Role::Constructor,
        Some(_)
            if takes_it_alone
                && !gives
                && (has(&DESTROYING) || both.iter().all(|one| one.frees)) =>
        {
            Role::Destructor
        }
        Some(first)
            if has(&CONSTRUCTING) && !gives && !first.read_only && new.handles.len() == 1 =>
        {
            match first.by_address || is_complete {
                true => Role::Constructor,
                false => Role::Mutator,
            }
        }
        Some(_) if old.only_looks && new.only_looks => Role::Observer,
        Some(_) => Role::Mutator,
    }
}

/// Why no sequence can begin.
pub(crate) fn no_constructor(class: &str, handle: &str, known: &[String]) -> Error {
    let functions = match known.is_empty() {
        true => "; no function that both versions have takes one".to_owned(),
        false => format!("; there are {}", known.join(", ")),
    };
    Error::Usage(format!(
        "nothing makes a `{class}`: a constructor is a function of both versions that returns a `{class} *` and takes none, or one with a \
         word like `init` in its name that fills the object it is given{functions}. Name it in `parallax.toml`, as in\n[sequence.\"{handle}\"]\n\
         constructors = [\"make_it\"]    # or \"NULL\", if a NULL pointer is an empty one"
    ))
}

/// Functions that the user names, and that are not there.
pub(crate) fn missing(name: &str, known: &[String]) -> Error {
    let mut near: Vec<(usize, &String)> =
        known.iter().map(|own| (distance(name, own), own)).collect();
    near.sort();
    let near: Vec<String> = (near.iter().take(3))
        .map(|(_, own)| format!("`{own}`"))
        .collect();
    let similar = match near.is_empty() {
        true => String::new(),
        false => format!("; there are {}", near.join(", ")),
    };
    Error::Usage(format!(
        "`{name}`, which `parallax.toml` or `--fn-assume` names, is no function of both versions that takes or returns the \
         type{similar}"
    ))
}

/// Whether an error is one of the text of a driver.
pub(crate) fn is_of_driver(error: &BuildError) -> Option<&str> {
    match error {
        BuildError::DoesNotCompile { message, .. } if find::is_about_driver(message) => {
            Some(message)
        }
        _ => None,
    }
}
