//! Where instructions come from and what the source calls things.

use crate::{DebugType, File, Inst, Loc, Scope, Value, Variable};
use cranelift_entity::PrimaryMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SourceMap {
    pub files: PrimaryMap<File, FileData>,
    pub scopes: PrimaryMap<Scope, ScopeData>,
    pub locs: PrimaryMap<Loc, LocData>,
    pub types: PrimaryMap<DebugType, DebugTypeData>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct FileData {
    /// As the compiler was given it.
    pub name: String,
    pub directory: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScopeData {
    /// The subprogram's source name; `None` for a block inside one.
    pub function: Option<String>,
    pub file: File,
    pub line: u32,
    pub parent: Option<Scope>,
    /// For a subprogram: its result type (`None` for void), then its parameters'.
    pub signature: Vec<Option<DebugType>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LocData {
    pub line: u32,
    pub column: u32,
    pub scope: Scope,
    /// The call that was inlined here.
    pub inlined_at: Option<Loc>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum DebugTypeData {
    /// `encoding` is DWARF's DW_ATE code.
    Base {
        name: String,
        bits: u64,
        encoding: u32,
    },
    Pointer {
        to: Option<DebugType>,
    },
    Typedef {
        name: String,
        of: Option<DebugType>,
    },
    /// `const`, `volatile`, `restrict`, `_Atomic`.
    Qualified {
        qualifier: String,
        of: Option<DebugType>,
    },
    Array {
        element: Option<DebugType>,
        /// `None` where the count is unknown or dynamic.
        counts: Vec<Option<u64>>,
    },
    /// A struct, union or Rust enum with data.
    Composite {
        name: String,
        is_union: bool,
        bits: u64,
        fields: Vec<DebugField>,
    },
    Enumeration {
        name: String,
        bits: u64,
        enumerators: Vec<(String, i128)>,
    },
    /// Result type (`None` for void), then parameters.
    Subroutine {
        signature: Vec<Option<DebugType>>,
    },
    Other {
        description: String,
    },
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DebugField {
    pub name: String,
    pub ty: Option<DebugType>,
    pub offset_bits: u64,
    pub size_bits: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariableData {
    pub name: String,
    pub scope: Scope,
    pub line: u32,
    pub ty: Option<DebugType>,
    /// 1 for the first parameter and so on; 0 for a local.
    pub parameter: u16,
}

/// From just before `before` on, `variable` is to be found at `place`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariableBinding {
    pub variable: Variable,
    pub before: Inst,
    pub place: VariablePlace,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum VariablePlace {
    /// Its value is this.
    Value(Value),
    /// It lies in memory at this address.
    Memory(Value),
    Gone,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GlobalVariableInfo {
    /// The name in the source (a function-local `static` has another symbol name).
    pub name: String,
    pub file: File,
    pub line: u32,
    pub ty: Option<DebugType>,
}

impl DebugTypeData {
    /// Calls `visit` with every type that this one is made of.
    pub fn for_each_type(&self, mut visit: impl FnMut(DebugType)) {
        match self {
            DebugTypeData::Pointer { to: inner }
            | DebugTypeData::Typedef { of: inner, .. }
            | DebugTypeData::Qualified { of: inner, .. }
            | DebugTypeData::Array { element: inner, .. } => inner.iter().copied().for_each(visit),
            DebugTypeData::Composite { fields, .. } => {
                fields.iter().filter_map(|field| field.ty).for_each(visit);
            }
            DebugTypeData::Subroutine { signature } => {
                signature.iter().flatten().for_each(|&ty| visit(ty));
            }
            DebugTypeData::Base { .. }
            | DebugTypeData::Enumeration { .. }
            | DebugTypeData::Other { .. } => {}
        }
    }
}

impl SourceMap {
    /// The subprogram that `scope` lies in.
    pub fn subprogram(&self, mut scope: Scope) -> Scope {
        while self.scopes[scope].function.is_none() {
            match self.scopes[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// Source name of the function that `loc` lies in (the inlined one, if it was inlined).
    pub fn function_name(&self, loc: Loc) -> Option<&str> {
        let scope = self.subprogram(self.locs[loc].scope);
        self.scopes[scope].function.as_deref()
    }

    pub fn file_name(&self, loc: Loc) -> &str {
        &self.files[self.scopes[self.locs[loc].scope].file].name
    }
}
