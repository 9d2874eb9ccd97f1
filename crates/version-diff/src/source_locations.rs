//! Line numbers that a program was built with, taken out of it: what a panic of Rust or an assertion of C says of its own line
//! and column is no behaviour that anybody means, and every edit above it changes it.
//!
//! Two things are recognised, by what they are and not by how their text looks:
//!
//! - a `core::panic::Location`, which rustc makes a nameless constant of: the address of a file's name, its length, line and
//!   column. The name is followed by a zero that its length does not count, which no other constant of Rust has;
//! - the line that is passed to the C library's own `__assert_fail`, if it is a constant: `assert` puts `__LINE__` there.
//!
//! Both become zero. Any other number that a program prints, `line!()` and `__LINE__` in its own messages included, stays.
//! What was taken out is kept, so that the program can be had as it was built: that is what runs natively.

use program_ir::{
    Callee, Constant, Func, Function, Global, GlobalData, Inst, InstData, Module, Value, ValueData,
    ValueDef,
};

use crate::match_globals::is_anonymous;
use crate::own_changes::is_c_library;

/// Where line and column lie in a `core::panic::Location`.
const LINE_AND_COLUMN: std::ops::Range<usize> = 16..24;
const LOCATION_SIZE: u64 = 24;

/// The parameter of `__assert_fail` that is the line.
const LINE_ARGUMENT: usize = 2;

/// What was taken out of a module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SourceLocations {
    /// Locations of Rust, with their bytes.
    locations: Vec<(Global, Vec<u8>)>,
    /// Calls of `__assert_fail`, with the value that was passed.
    assertions: Vec<(Func, Inst, Value)>,
}

impl SourceLocations {
    /// Takes them out of a module.
    pub fn take(module: &mut Module) -> SourceLocations {
        let mut taken = SourceLocations::default();
        let globals = module.globals.iter();
        let locations = globals.filter(|(_, data)| is_rust_location(module, data));
        let locations: Vec<Global> = locations.map(|(global, _)| global).collect();
        for global in locations {
            let bytes = &mut module.globals[global].initialiser.bytes;
            taken.locations.push((global, bytes.clone()));
            let end = LINE_AND_COLUMN.end.min(bytes.len());
            bytes[LINE_AND_COLUMN.start.min(end)..end].fill(0);
        }
        for (func, inst) in assertions(module) {
            let function = &mut module.functions[func];
            let line = argument(function, inst);
            let ty = function.ty(line);
            let nothing = function.values.push(ValueData {
                ty,
                def: ValueDef::Constant(Constant::ZERO),
            });
            taken.assertions.push((func, inst, line));
            set_argument(function, inst, nothing);
        }
        taken
    }

    /// Nothing was there.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty() && self.assertions.is_empty()
    }

    /// Puts them back.
    pub fn put_back(&self, module: &mut Module) {
        for (global, bytes) in &self.locations {
            module.globals[*global].initialiser.bytes.clone_from(bytes);
        }
        for &(func, inst, line) in &self.assertions {
            set_argument(&mut module.functions[func], inst, line);
        }
    }
}

/// Calls of the library's `__assert_fail` with a constant line.
fn assertions(module: &Module) -> Vec<(Func, Inst)> {
    let Some(fails) = module.function_named("__assert_fail") else {
        return Vec::new();
    };
    if module.functions[fails].is_declaration() || !is_c_library(module, fails) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (func, function) in module.functions.iter() {
        for (inst, node) in function.insts.iter() {
            let call = node.data.call();
            let is_one = call.is_some_and(|call| {
                call.callee == Callee::Direct(fails)
                    && call.args.get(LINE_ARGUMENT).is_some_and(|&line| {
                        matches!(function.constant(line), Some(Constant::Bits(bits)) if bits != 0)
                    })
            });
            if is_one {
                found.push((func, inst));
            }
        }
    }
    found
}

fn argument(function: &Function, inst: Inst) -> Value {
    let call = function.insts[inst].data.call();
    call.expect("it is a call").args[LINE_ARGUMENT]
}

fn set_argument(function: &mut Function, inst: Inst, value: Value) {
    match &mut function.insts[inst].data {
        InstData::Call(call) | InstData::Invoke { call, .. } => call.args[LINE_ARGUMENT] = value,
        _ => unreachable!("it is a call"),
    }
}

/// A `core::panic::Location`: file name, its length, line and column.
pub(crate) fn is_rust_location(module: &Module, data: &GlobalData) -> bool {
    let [relocation] = data.initialiser.relocations.as_slice() else {
        return false;
    };
    let Constant::GlobalAddress { global, offset: 0 } = relocation.constant else {
        return false;
    };
    let file = &module.globals[global];
    let name = &file.initialiser.bytes;
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    let bytes = &data.initialiser.bytes;
    let length = bytes.get(8..LINE_AND_COLUMN.start);
    data.size == LOCATION_SIZE
        && is_anonymous(data)
        && (relocation.offset, relocation.size) == (0, 8)
        && relocation.minus.is_none()
        && file.constant
        && file.initialiser.relocations.is_empty()
        && file.size == name.len() as u64 + 1
        && length.is_some_and(|bytes| bytes == (name.len() as u64).to_le_bytes())
        && !name.contains(&0)
        && name.ends_with(b".rs")
}
