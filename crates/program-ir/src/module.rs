//! A whole program.

use crate::{Constant, Func, Function, Global, GlobalVariableInfo, Linkage, SourceMap};
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Module {
    pub functions: PrimaryMap<Func, Function>,
    pub globals: PrimaryMap<Global, GlobalData>,
    pub source: SourceMap,
    /// Further names for functions and places in globals.
    pub aliases: BTreeMap<String, Constant>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GlobalData {
    /// Symbol name.
    pub name: String,
    pub linkage: Linkage,
    pub size: u64,
    pub align: u32,
    /// Writing to it is an error of the program.
    pub constant: bool,
    /// One instance per thread. There is one thread, so this is only a note.
    pub thread_local: bool,
    /// Where the program asks the linker to put it. What that means for a run is in the module already: entries of
    /// `.init_array` and its relatives are in the linker's arrays, and members of a section whose bounds the program
    /// asks for are one global.
    pub section: Option<String>,
    pub initialiser: Initialiser,
    pub info: Option<GlobalVariableInfo>,
}

/// The first bytes of a global; the rest, up to its size, is zero.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Initialiser {
    pub bytes: Vec<u8>,
    /// Addresses to be written over `bytes`, in order of offset.
    pub relocations: Vec<Relocation>,
}

/// Writes `constant` (less `minus`, if given) into `size` bytes at `offset`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    pub offset: u64,
    pub size: u8,
    pub constant: Constant,
    /// For differences of addresses, as relative tables hold.
    pub minus: Option<Constant>,
}

impl Module {
    /// The function of this name, preferring a definition.
    pub fn function_named(&self, name: &str) -> Option<Func> {
        let mut found = None;
        for (func, function) in self.functions.iter() {
            if function.name == name {
                if !function.is_declaration() {
                    return Some(func);
                }
                found = Some(func);
            }
        }
        match self.aliases.get(name) {
            Some(&Constant::FunctionAddress(func)) => Some(func),
            _ => found,
        }
    }

    pub fn global_named(&self, name: &str) -> Option<Global> {
        self.globals
            .iter()
            .find(|(_, data)| data.name == name)
            .map(|(global, _)| global)
    }
}
