//! What a condition is made from: arguments, standard input, files, variables of the environment, globals, parameters. Found in the
//! text of the program, through local variables, calls and results, as far as that is simple. For people to read: no verdict rests on
//! it.

use std::collections::BTreeSet;

use program_ir::{
    Callee, Constant, Func, Function, Global, Inst, InstData, Module, Value, ValueDef,
};
use serde::{Deserialize, Serialize};
use version_diff::calls::Calls;

/// Functions that are gone into, one inside the other.
const MOST_CALLS: u32 = 4;
/// Values that are looked at in all.
const MOST_VALUES: usize = 4000;

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputSource {
    ArgumentCount,
    Arguments,
    StandardInput,
    /// With its name, if that is in the text.
    File(Option<String>),
    /// A variable of the environment, by name.
    Environment(String),
    Global(String),
    /// Of the function that is compared, by name.
    Parameter(String),
}

/// Functions that read a stream, with the place of the stream among their arguments.
const STREAM_READERS: &[(&str, Option<usize>)] = &[
    ("getchar", None),
    ("getchar_unlocked", None),
    ("gets", None),
    ("scanf", None),
    ("__isoc99_scanf", None),
    ("vscanf", None),
    ("fgetc", Some(0)),
    ("getc", Some(0)),
    ("fgets", Some(2)),
    ("fread", Some(3)),
    ("fscanf", Some(0)),
    ("__isoc99_fscanf", Some(0)),
    ("getline", Some(2)),
    ("getdelim", Some(3)),
    ("feof", Some(0)),
    ("read", Some(0)),
];
const OPENERS: &[(&str, usize)] = &[("fopen", 0), ("open", 0), ("openat", 1), ("freopen", 0)];

const ENVIRONMENT_READERS: &[&str] = &["getenv", "secure_getenv"];

pub(super) struct Sources<'m> {
    module: &'m Module,
    calls: &'m Calls<'m>,
    found: BTreeSet<InputSource>,
    seen: BTreeSet<(Func, Value)>,
}

impl<'m> Sources<'m> {
    /// What a condition of a function is made from. Where its own operands say nothing, as of a counter, what the function's other
    /// conditions are made from.
    pub(super) fn of(
        module: &'m Module,
        calls: &'m Calls<'m>,
        func: Func,
        condition: Value,
    ) -> Vec<InputSource> {
        let mut sources = Sources {
            module,
            calls,
            found: BTreeSet::new(),
            seen: BTreeSet::new(),
        };
        sources.follow(func, condition, MOST_CALLS);
        if sources.found.is_empty() {
            let function = &module.functions[func];
            for node in function.insts.values() {
                if let InstData::Branch { condition, .. } = node.data {
                    sources.follow(func, condition, MOST_CALLS);
                }
            }
        }
        sources.found.into_iter().collect()
    }

    fn follow(&mut self, func: Func, value: Value, depth: u32) {
        if self.seen.len() > MOST_VALUES || !self.seen.insert((func, value)) {
            return;
        }
        let function = &self.module.functions[func];
        match function.values[value].def {
            ValueDef::Constant(_) => {}
            ValueDef::Param(block, number) if function.entry() == Some(block) => {
                self.parameter(func, number as usize, depth);
            }
            ValueDef::Param(block, number) => {
                for node in function.insts.values() {
                    let mut passed = Vec::new();
                    node.data.for_each_edge(|edge| {
                        if edge.block == block {
                            passed.extend(edge.args.get(number as usize).copied());
                        }
                    });
                    for value in passed {
                        self.follow(func, value, depth);
                    }
                }
            }
            ValueDef::Result(inst, _) => self.result(func, inst, depth),
        }
    }

    fn parameter(&mut self, func: Func, number: usize, depth: u32) {
        let function = &self.module.functions[func];
        if function.name == "main" {
            self.found.insert(match number {
                0 => InputSource::ArgumentCount,
                _ => InputSource::Arguments,
            });
            return;
        }
        let calls = self.calls;
        for &(caller, inst) in calls.callers(func) {
            let in_caller = &self.module.functions[caller];
            let Some(call) = in_caller.insts[inst].data.call() else {
                continue;
            };
            if is_driver(self.module, caller) {
                let names = version_diff::input_space::parameter_names(function);
                let name = names.into_iter().nth(number).flatten();
                self.found.extend(name.map(InputSource::Parameter));
                continue;
            }
            if depth > 0
                && let Some(&argument) = call.args.get(number)
            {
                self.follow(caller, argument, depth - 1);
            }
        }
    }

    fn result(&mut self, func: Func, inst: Inst, depth: u32) {
        let function = &self.module.functions[func];
        match &function.insts[inst].data {
            InstData::Load { address, .. } => self.load(func, *address, depth),
            InstData::Call(call) | InstData::Invoke { call, .. } => {
                let Callee::Direct(callee) = call.callee else {
                    return;
                };
                self.call(func, callee, &call.args, depth);
            }
            data => {
                let mut operands = Vec::new();
                data.for_each_operand(|value| operands.push(value));
                for value in operands {
                    self.follow(func, value, depth);
                }
            }
        }
    }

    /// What is stored where a value is loaded from.
    fn load(&mut self, func: Func, address: Value, depth: u32) {
        let function = &self.module.functions[func];
        let root = root(function, address);
        if let Some(global) = global_at(function, root) {
            let data = &self.module.globals[global];
            if !data.constant && data.info.is_some() {
                self.found.insert(InputSource::Global(data.name.clone()));
            }
            return;
        }
        self.follow(func, root, depth);
        for node in function.insts.values() {
            match &node.data {
                InstData::Store { address, value, .. }
                    if self::root(function, *address) == root =>
                {
                    self.follow(func, *value, depth);
                }
                // A function that is given the address may fill it.
                InstData::Call(call) | InstData::Invoke { call, .. } => {
                    let is_given = |&argument: &Value| self::root(function, argument) == root;
                    if let Callee::Direct(callee) = call.callee
                        && call.args.iter().any(is_given)
                    {
                        self.call(func, callee, &call.args, depth);
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, func: Func, callee: Func, args: &[Value], depth: u32) {
        let module = self.module;
        let (function, called) = (&module.functions[func], &module.functions[callee]);
        let name = called.name.as_str();
        let text_at = |place: usize| text(module, function, *args.get(place)?);
        if let Some((_, place)) = OPENERS.iter().find(|(opener, _)| *opener == name) {
            self.found.insert(InputSource::File(text_at(*place)));
        } else if ENVIRONMENT_READERS.contains(&name) {
            self.found.extend(text_at(0).map(InputSource::Environment));
        } else if let Some((_, place)) = STREAM_READERS.iter().find(|(reader, _)| *reader == name) {
            let before = self.found.len();
            if let Some(&stream) = place.and_then(|place| args.get(place)) {
                self.follow(func, stream, depth);
            }
            // A stream that nobody opened, or that was opened before: what it is decides what is found.
            if self.found.len() == before {
                self.found.insert(InputSource::StandardInput);
            }
        } else if version_diff::own_changes::is_library(module, callee) || called.is_declaration() {
            for &argument in args {
                self.follow(func, argument, depth);
            }
        } else if depth > 0 {
            for node in called.insts.values() {
                if let InstData::Return { values } = &node.data {
                    for &value in values {
                        self.follow(callee, value, depth - 1);
                    }
                }
            }
        }
    }
}

/// Names of variables of the environment that the program's own code asks for.
pub(crate) fn environment_asked_for(module: &Module) -> Vec<String> {
    let mut names = BTreeSet::new();
    for (func, function) in module.functions.iter() {
        if version_diff::own_changes::is_library(module, func) {
            continue;
        }
        for node in function.insts.values() {
            let Some(call) = node.data.call() else {
                continue;
            };
            if let (Callee::Direct(callee), Some(&name)) = (call.callee, call.args.first())
                && ENVIRONMENT_READERS.contains(&module.functions[callee].name.as_str())
            {
                names.extend(text(module, function, name).filter(|name| !name.contains('=')));
            }
        }
    }
    names.into_iter().collect()
}

/// Whether `main` uses its parameters; if there is no such function, it may be that they are used elsewhere.
pub(crate) fn reads_arguments(module: &Module) -> bool {
    let Some(main) = module.function_named("main") else {
        return true;
    };
    let function = &module.functions[main];
    let uses = |value: Value| {
        let nodes = function.insts.values();
        nodes.filter(move |node| {
            let mut is_used = false;
            node.data
                .for_each_operand(|operand| is_used |= operand == value);
            is_used
        })
    };
    let is_read = |&parameter: &Value| {
        uses(parameter).any(|node| match node.data {
            // Without optimisation a parameter is put into a variable, and read from there.
            InstData::Store { address, value, .. } if value == parameter => {
                uses(address).count() > 1
            }
            _ => true,
        })
    };
    function.params().iter().any(is_read)
}

/// What an address is computed from: a variable, a global, a pointer.
fn root(function: &Function, mut address: Value) -> Value {
    while let ValueDef::Result(inst, _) = function.values[address].def
        && let InstData::PtrAdd { base, .. } = function.insts[inst].data
    {
        address = base;
    }
    address
}

fn global_at(function: &Function, value: Value) -> Option<Global> {
    match function.values[value].def {
        ValueDef::Constant(Constant::GlobalAddress { global, .. }) => Some(global),
        _ => None,
    }
}

/// The text that a constant argument points to.
fn text(module: &Module, function: &Function, value: Value) -> Option<String> {
    let ValueDef::Constant(Constant::GlobalAddress { global, offset }) =
        function.values[root(function, value)].def
    else {
        return None;
    };
    text_at(module, global, offset)
}

/// The text in a global, up to its end or the first zero.
pub(super) fn text_at(module: &Module, global: Global, offset: i64) -> Option<String> {
    let bytes = &module.globals[global].initialiser.bytes;
    let bytes = bytes.get(usize::try_from(offset).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0);
    let text = std::str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]).ok()?;
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a function is of the driver that calls a single function.
fn is_driver(module: &Module, func: Func) -> bool {
    let scope = module.functions[func].scope;
    scope.is_some_and(|scope| {
        let file = module.source.scopes[scope].file;
        module.source.files[file].name == harness::c_function::DRIVER
    })
}

/// Globals that an instruction of a driver gives a value of the input. (One that is only compared afterwards is read.)
fn filled(module: &Module, function: &Function, data: &InstData) -> Vec<Global> {
    let into = |address: Value| {
        let root = root(function, address);
        global_at(function, root).or_else(|| by_symbol(module, function, root))
    };
    match data {
        InstData::Store { address, .. } => into(*address).into_iter().collect(),
        InstData::MemCopy { destination, .. } => into(*destination).into_iter().collect(),
        InstData::Call(call) => {
            let is_symbolic = matches!(call.callee, Callee::Direct(callee)
                if module.functions[callee].name == "parallax_symbolic");
            let args = call.args.iter().filter(|_| is_symbolic);
            args.filter_map(|&argument| into(argument)).collect()
        }
        _ => Vec::new(),
    }
}

/// The variable that a driver has found by its symbol.
fn by_symbol(module: &Module, function: &Function, value: Value) -> Option<Global> {
    let ValueDef::Result(inst, _) = function.values[value].def else {
        return None;
    };
    let call = function.insts[inst].data.call()?;
    let Callee::Direct(callee) = call.callee else {
        return None;
    };
    let is_search = module.functions[callee].name == "parallax_static";
    let name = call.args.first().filter(|_| is_search)?;
    module.global_named(&text(module, function, *name)?)
}

/// Globals that code of some lines reads, that may be written, and that a driver leaves as they begin. (Who writes them is not in
/// the program that a driver makes: what the function does not call is left out of it.)
pub(super) fn globals_of_first_value(
    module: &Module,
    lines: &BTreeSet<(Func, u32)>,
) -> Vec<String> {
    let mut read = BTreeSet::new();
    let mut given = BTreeSet::new();
    for (func, function) in module.functions.iter() {
        let of_driver = is_driver(module, func);
        for node in function.insts.values() {
            let line = node.loc.map(|loc| module.source.locs[loc].line);
            let is_changed = line.is_some_and(|line| lines.contains(&(func, line)));
            match &node.data {
                InstData::Load { address, .. } if is_changed => {
                    read.extend(global_at(function, root(function, *address)));
                }
                data if of_driver => given.extend(filled(module, function, data)),
                _ => {}
            }
        }
    }
    // Libraries have no debug information of their globals.
    let stale = read.into_iter().filter(|global| {
        let data = &module.globals[*global];
        !data.constant && data.info.is_some() && !given.contains(global)
    });
    let names: BTreeSet<String> = stale
        .map(|global| module.globals[global].name.clone())
        .collect();
    names.into_iter().collect()
}
