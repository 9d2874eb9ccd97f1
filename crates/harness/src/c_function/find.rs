//! Finds the function in a version's sources, with the types of its parameters.
//!
//! A *probe* is a C file that includes the source and names the function: so `static` functions are found too,
//! and exactly the one that the source means. The probe has no `main`, so nothing of the version is dropped.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use program_ir::{Constant, Func, Linkage, Module};

use super::effects::{effects, written};
use super::lengths::{declared_counts, lengths};
use crate::error::{Error, Result, Trying};
use crate::full_path;
use crate::read_module;
use crate::test_code::TestSources;
use crate::types::{Reader, Scalar, Shape, Types, spelled, spelled_target};
use build::cache::Key;
use build::error::BuildError;
use build::{BUILD_SYSTEMS, Builder, Request, c_sources};
use version_diff::own_changes::{is_c_library, is_library_file};

/// A function of one version.
pub(crate) struct Function {
    pub(crate) name: String,
    /// The source that the driver includes.
    pub(crate) source: PathBuf,
    pub(crate) parameters: Vec<Parameter>,
    /// `None` for `void`; an error says what it is instead.
    pub(crate) returns: Result<Option<Shape>, String>,
    /// What the source calls that type.
    pub(crate) result: Option<String>,
    pub(crate) uses_errno: bool,
    /// What of the C library a call may use, by name.
    pub(crate) library: BTreeSet<String>,
    /// Whether it takes further arguments.
    pub(crate) variadic: bool,
    /// The version's variables of static storage, by name.
    pub(crate) globals: Vec<GlobalVariable>,
    /// The structs and unions that pointers lead to.
    pub(crate) types: Types,
    /// Exactly how many elements a pointer has, by parameter.
    pub(crate) counts: Vec<(String, u64)>,
    /// Pointers with the parameters that say how many elements they have.
    pub(crate) lengths: Vec<(String, String)>,
}

pub(crate) struct Parameter {
    /// Without one, `argument` and its number.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// What the source calls the type of what it points to, if it is a pointer.
    pub(crate) target: Option<String>,
}

pub(crate) struct GlobalVariable {
    pub(crate) name: String,
    pub(crate) shape: Result<Shape, String>,
    /// Whether a call of the function may change it.
    pub(crate) may_change: bool,
    /// Whether a call of the function may read or change it.
    pub(crate) is_touched: bool,
    /// Whether anything in the version writes it.
    pub(crate) is_written: bool,
    /// Whether other programs that the version is linked to cannot name it.
    pub(crate) is_own: bool,
    /// How the driver reaches it.
    pub(crate) reach: Reach,
    /// Its bytes before `main`, but for addresses. What is missing at the end is zero.
    pub(crate) first: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// The source that the driver includes knows it.
    ByName,
    /// Another source exports it.
    BySymbol,
    /// C cannot name it from there: it is inside a function, or `static` in another source. Its symbol is looked for when the
    /// driver runs.
    ByTable,
    Not,
}

/// The C sources of a version.
pub(crate) struct Sources {
    pub(crate) files: Vec<PathBuf>,
    /// What `__FILE__` becomes, so that both versions say the same.
    arguments: Vec<OsString>,
}

/// What the program's `main` is called beside a driver's.
const MAIN: &str = "-Dmain=parallax_program_main";

impl Sources {
    pub(crate) fn of(files: &[PathBuf], same: &[PathBuf], target: Option<&str>) -> Result<Sources> {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let is_c = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "c");
        let mut maps = Vec::new();
        let mut map = |from: &Path, end: &str, to: &str| {
            let mut argument = OsString::from("-fmacro-prefix-map=");
            argument.push(absolute(from));
            argument.push(format!("{end}={to}"));
            maps.push(argument);
        };
        for file in files {
            if !file.exists() {
                return Err(BuildError::MissingInput { path: file.clone() }.into());
            }
        }
        let sources = match files {
            [folder] if folder.is_dir() => {
                let other = ["Cargo.toml", "compile_commands.json"];
                let mut other = other.iter().chain(&BUILD_SYSTEMS);
                let sources = match other.find(|name| folder.join(name).exists()) {
                    Some(name) => {
                        return Err(Error::Usage(format!(
                            "`--fn` needs C files: `{}` has a `{name}`, and what that builds is not looked into; give the \
                             files with `--old FILE... --new FILE...`",
                            folder.display()
                        )));
                    }
                    None => c_sources(folder)?.unwrap_or_default(),
                };
                map(folder, "/", "");
                with_one_main(folder, sources, target)?
            }
            _ if files.iter().all(is_c) => {
                for (file, same) in files.iter().zip(same) {
                    map(file, "", &same.display().to_string());
                }
                files.to_vec()
            }
            _ => {
                return Err(Error::Usage(format!(
                    "`--fn` needs C files, or a folder of C files; `{}` is something else",
                    files[0].display()
                )));
            }
        };
        if sources.is_empty() {
            return Err(Error::Usage(format!(
                "`--fn` needs C files; `{}` has none",
                files[0].display()
            )));
        }
        maps.push(OsString::from(MAIN));
        Ok(Sources {
            files: sources.iter().map(|source| absolute(source)).collect(),
            arguments: maps,
        })
    }

    /// What a test of the function is built with.
    pub(crate) fn of_test(&self, function: &Function, template: &Request) -> TestSources {
        let others = self.files.iter().filter(|file| **file != function.source);
        TestSources {
            included: function.source.clone(),
            others: others.cloned().collect(),
            compiler_arguments: template.compiler_arguments.clone(),
        }
    }

    /// A program or library of this text, which includes `source`, the other sources, and what drivers need of ours.
    pub(crate) fn request(
        &self,
        builder: &Builder<'_>,
        template: &Request,
        source: &Path,
        text: Option<&str>,
        support: Vec<&'static str>,
    ) -> Result<Request> {
        let mut inputs = Vec::new();
        if let Some(text) = text {
            let name = format!("{}.c", Key::new("driver 1").add(text).finish());
            let place = builder.cache.entry("drivers", &name);
            let is_there = std::fs::read(&place).is_ok_and(|there| there == text.as_bytes());
            inputs.push(match is_there {
                true => place,
                false => builder
                    .cache
                    .publish_bytes(text.as_bytes(), "drivers", &name)?,
            });
        }
        inputs.extend(self.files.iter().filter(|file| *file != source).cloned());
        Ok(Request {
            inputs,
            compiler_arguments: [&self.arguments[..], &template.compiler_arguments].concat(),
            support,
            ..template.clone()
        })
    }
}

/// Of several programs in one folder, one.
fn with_one_main(
    folder: &Path,
    sources: Vec<PathBuf>,
    target: Option<&str>,
) -> Result<Vec<PathBuf>> {
    let stem = |path: &Path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut mains = Vec::new();
    for source in &sources {
        let text =
            std::fs::read(source).trying(|| format!("cannot read `{}`", source.display()))?;
        if has_word(&String::from_utf8_lossy(&text), "main") {
            mains.push(source.clone());
        }
    }
    if mains.len() < 2 {
        return Ok(sources);
    }
    let chosen = mains.iter().find(|main| target == Some(&stem(main)));
    let Some(chosen) = chosen else {
        return Err(BuildError::ChooseTarget {
            problem: format!("`{}` has several files with a `main`", folder.display()),
            candidates: mains.iter().map(|main| stem(main)).collect(),
        }
        .into());
    };
    let is_kept = |source: &PathBuf| source == chosen || !mains.contains(source);
    Ok(sources
        .iter()
        .filter(|source| is_kept(source))
        .cloned()
        .collect())
}

/// Whether an identifier stands in a text.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(|character| !is_part(character))
        .any(|part| part == word)
}

/// The start of a file that stands for `source`.
pub(crate) fn including(source: &Path) -> String {
    let name = source
        .to_string_lossy()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    format!("#include \"{name}\"\n#undef main\n")
}

/// The function of this name; an error of its own if there is none.
pub(crate) fn find(
    builder: &Builder<'_>,
    sources: &Sources,
    template: &Request,
    name: &str,
) -> Result<Option<Function>> {
    let (file, name) = match name.rsplit_once(':') {
        Some((file, name)) => (Some(file), name),
        None => (None, name),
    };
    let (mut likely, mut others) = (Vec::new(), Vec::new());
    for source in &sources.files {
        if file.is_some_and(|file| !source.ends_with(file)) {
            continue;
        }
        let text =
            std::fs::read(source).trying(|| format!("cannot read `{}`", source.display()))?;
        match has_word(&String::from_utf8_lossy(&text), name) {
            true => likely.push(source),
            false => others.push(source),
        }
    }
    let mut found: Vec<(PathBuf, Module, Func)> = Vec::new();
    // A function of a header, or one that a macro defines, need not stand in any source.
    for some in [likely, others] {
        if !found.is_empty() {
            break;
        }
        for source in some {
            if let Some((module, func)) = probe(builder, sources, template, source, name, "")? {
                found.push((source.clone(), module, func));
            }
        }
    }
    // One that a header defines is the same wherever it is included.
    let place = |(_, module, func): &(PathBuf, Module, Func)| {
        let scope = module.functions[*func].scope?;
        let data = &module.source.scopes[scope];
        Some((full_path(module, data.file), data.line))
    };
    let (first, others) = match &found[..] {
        [] => return Ok(None),
        [first, others @ ..] => (first, others),
    };
    if others.iter().any(|other| place(other) != place(first)) {
        let names: Vec<String> = found
            .iter()
            .map(|(source, ..)| {
                let name_of = source.file_name().unwrap_or_default().to_string_lossy();
                format!("`--fn {name_of}:{name}`")
            })
            .collect();
        return Err(Error::Usage(format!(
            "there are several functions `{name}`; say which with {}",
            names.join(" or ")
        )));
    }
    let (source, module, func) = found.swap_remove(0);
    read(&module, func, name, source, sources).map(Some)
}

/// The function that a source means by a name, if that is in this source, with what else is to be kept.
pub(crate) fn probe(
    builder: &Builder<'_>,
    sources: &Sources,
    template: &Request,
    source: &Path,
    name: &str,
    kept: &str,
) -> Result<Option<(Module, Func)>> {
    let text = format!(
        "{}#line 1 \"parallax_driver.c\"\nvoid *parallax_function = (void *)({name});\n{kept}",
        including(source)
    );
    let request = sources.request(builder, template, source, Some(&text), Vec::new())?;
    let built = match builder.module(&request) {
        Ok(built) => built,
        Err(BuildError::DoesNotCompile { message, .. }) if is_about_driver(&message) => {
            return Ok(None);
        }
        Err(BuildError::DoesNotCompile { message, .. }) => {
            let file = source.to_owned();
            return Err(BuildError::DoesNotCompile { file, message }.into());
        }
        Err(error) => return Err(error.into()),
    };
    let module = read_module(builder, &built)?;
    let func = probed(&module).filter(|&func| is_defined_by(&module, func, source, sources));
    Ok(func.map(|func| (module, func)))
}

/// Looks once more for globals that the other version's function may change. A `static` one that the source does not
/// use is dropped by the compiler unless it is asked for.
pub(crate) fn look_for_globals(
    builder: &Builder<'_>,
    sources: &Sources,
    template: &Request,
    function: &mut Function,
    other: &Function,
) -> Result<()> {
    for global in other.globals.iter().filter(|global| global.may_change) {
        let name = &global.name;
        if function.globals.iter().any(|own| own.name == *name) {
            continue;
        }
        let kept = format!("void *parallax_kept = (void *)&{name};\n");
        let source = &function.source;
        let found = probe(builder, sources, template, source, &function.name, &kept)?;
        if let Some((module, func)) = found {
            let again = read(&module, func, &function.name, source.clone(), sources)?;
            let missing = again.globals.into_iter().filter(|own| own.name == *name);
            function.globals.extend(missing);
        }
    }
    Ok(())
}

/// Whether all errors of the compiler are in text of our own.
pub(crate) fn is_about_driver(message: &str) -> bool {
    let mut errors = message
        .lines()
        .filter(|line| line.contains("error:"))
        .peekable();
    errors.peek().is_some() && errors.all(|line| line.starts_with("parallax_driver.c:"))
}

fn probed(module: &Module) -> Option<Func> {
    let global = module.global_named("parallax_function")?;
    let relocation = module.globals[global].initialiser.relocations.first()?;
    match relocation.constant {
        Constant::FunctionAddress(func) if !module.functions[func].is_declaration() => Some(func),
        _ => None,
    }
}

/// A function that another of the version's sources defines is found there, and one of the C library is not
/// the version's.
fn is_defined_by(module: &Module, func: Func, source: &Path, sources: &Sources) -> bool {
    let Some(scope) = module.functions[func].scope else {
        return false;
    };
    let file = module.source.scopes[scope].file;
    let path = full_path(module, file);
    path == source || !sources.files.contains(&path) && !is_library_file(module, file)
}

pub(crate) fn read(
    module: &Module,
    func: Func,
    name: &str,
    source: PathBuf,
    sources: &Sources,
) -> Result<Function> {
    let function = &module.functions[func];
    let scope = function.scope.map(|scope| &module.source.scopes[scope]);
    let signature = scope.map(|scope| &scope.signature[..]).unwrap_or_default();
    let (result, types) = match signature {
        [] => (None, &[][..]),
        [result, types @ ..] => (*result, types),
    };
    let mut reader = Reader::new(module);
    let mut parameters = Vec::new();
    // What stands for further arguments has no type.
    let types = types.iter().filter(|ty| ty.is_some());
    for (ty, number) in types.zip(1..) {
        let named = function.variables.values().find(|variable| {
            variable.parameter == number && Some(variable.scope) == function.scope
        });
        let name_of = match named {
            Some(variable) if !variable.name.is_empty() => variable.name.clone(),
            _ => format!("argument{number}"),
        };
        let shape = reader.shape(*ty).map_err(|what| {
            Error::Unsupported(format!(
                "parameter `{name_of}` of `{name}` is {what}: `--fn` cannot make that; compare a function that calls it, or \
                 write a harness with `parallax_symbolic`"
            ))
        })?;
        parameters.push(Parameter {
            name: name_of,
            shape,
            target: spelled_target(module, *ty),
        });
    }
    let returns = match result {
        None => Ok(None),
        Some(_) => reader.shape(result).map(Some),
    };
    refuse_replaced(module)?;
    let effects = effects(module, func);
    let written = written(module, &effects.touched);
    let mut globals = Vec::new();
    for (global, data) in module.globals.iter() {
        let Some(info) = data.info.as_ref().filter(|_| !data.constant) else {
            continue;
        };
        if is_library_file(module, info.file) || info.name.is_empty() {
            continue;
        }
        let file = full_path(module, info.file);
        let is_here = file == source;
        // A header's is known to the source if it includes it.
        let is_elsewhere = sources.files.contains(&file);
        // A variable inside a function, or one of several sources' `static` of one name.
        let is_hidden = data.name != info.name;
        globals.push(GlobalVariable {
            name: data.name.clone(),
            shape: reader.shape(info.ty),
            may_change: effects.globals.contains(&global),
            is_touched: effects.touched.contains(&global),
            is_written: written.contains(&global),
            is_own: data.linkage != Linkage::Exported,
            reach: match (is_here, data.linkage) {
                _ if is_hidden => Reach::ByTable,
                (true, _) => Reach::ByName,
                (false, Linkage::Exported) => Reach::BySymbol,
                (false, _) if is_elsewhere => Reach::ByTable,
                (false, _) => Reach::ByName,
            },
            first: data.initialiser.bytes.clone(),
        });
    }
    let text = build::source_text::read(&source).unwrap_or_default();
    let counts = declared_counts(&String::from_utf8_lossy(&text), name);
    let lengths = recognised_lengths(module, func, &parameters);
    Ok(Function {
        name: name.to_owned(),
        source,
        parameters,
        returns,
        result: spelled(module, result),
        uses_errno: effects.uses_errno,
        library: effects.library,
        variadic: function.signature.variadic,
        globals,
        types: reader.types,
        counts,
        lengths,
    })
}

/// What a driver calls to take arguments and to write down what is compared.
const OF_DRIVERS: [&str; 13] = [
    "open", "write", "close", "_exit", "malloc", "calloc", "realloc", "free", "fopen", "fputc",
    "rewind", "ftell", "fflush",
];

/// A version that has one of these functions of its own would write down what it likes.
fn refuse_replaced(module: &Module) -> Result<()> {
    let replaced = module.functions.iter().find(|(func, function)| {
        function.linkage == Linkage::Exported
            && !function.is_declaration()
            && OF_DRIVERS.contains(&function.name.as_str())
            && !is_c_library(module, *func)
    });
    match replaced {
        None => Ok(()),
        Some((_, function)) => Err(Error::Unsupported(format!(
            "it has a function `{}` of its own in place of the C library's, with which `--fn` makes arguments and writes down what is \
             compared: compare the programs as a whole",
            function.name
        ))),
    }
}

/// Pointers to what can be an array, and the numbers that say how long they are.
fn recognised_lengths(
    module: &Module,
    func: Func,
    parameters: &[Parameter],
) -> Vec<(String, String)> {
    // A struct that is passed by value may be several parameters of the code.
    if module.functions[func].signature.params.len() != parameters.len() {
        return Vec::new();
    }
    let pairs = lengths(module, func).into_iter();
    let pairs = pairs.filter_map(|(pointer, length)| {
        let (pointer, length) = (parameters.get(pointer)?, parameters.get(length)?);
        let is_number = matches!(
            length.shape,
            Shape::Scalar(Scalar::Signed(_) | Scalar::Unsigned(_))
        );
        let is_array = match &pointer.shape {
            Shape::Text { .. } => true,
            Shape::Pointer { to, .. } => {
                !matches!(**to, Shape::Opaque { .. } | Shape::Array { .. })
            }
            _ => false,
        };
        (is_number && is_array).then(|| (pointer.name.clone(), length.name.clone()))
    });
    pairs.collect()
}

/// The functions that a version has of its own.
pub(crate) fn names(
    builder: &Builder<'_>,
    sources: &Sources,
    template: &Request,
) -> Result<Vec<String>> {
    let request = sources.request(builder, template, Path::new(""), None, Vec::new())?;
    let module = read_module(builder, &builder.module(&request)?)?;
    let own = module.functions.values().filter(|function| {
        let scope = function.scope.map(|scope| &module.source.scopes[scope]);
        !function.is_declaration()
            && scope.is_some_and(|scope| !is_library_file(&module, scope.file))
    });
    let in_source = own.filter_map(|function| {
        let scope = function.scope?;
        module.source.scopes[scope].function.clone()
    });
    Ok(in_source
        .filter(|name| name != "parallax_program_main")
        .collect())
}
