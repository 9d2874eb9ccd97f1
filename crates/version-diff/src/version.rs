//! One version of the program with its symbols classified.
//!
//! A *class* is a number shared by the things of the two versions that are taken to be
//! the same: matched functions have one class, matched globals too, and anonymous
//! constants (string literals and the like) have one class per content. Comparing
//! classes instead of ids is what makes renumbering no change.

use program_ir::{Constant, Func, Global, Module, SecondaryMap};

/// No counterpart in the other version. Never equal to a class.
pub const UNMATCHED: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Version<'a> {
    pub module: &'a Module,
    function_class: SecondaryMap<Func, u32>,
    global_class: SecondaryMap<Global, u32>,
}

impl<'a> Version<'a> {
    pub fn new(module: &'a Module) -> Self {
        Version {
            module,
            function_class: SecondaryMap::with_default(UNMATCHED),
            global_class: SecondaryMap::with_default(UNMATCHED),
        }
    }

    pub fn function_class(&self, func: Func) -> u32 {
        self.function_class[func]
    }

    pub fn global_class(&self, global: Global) -> u32 {
        self.global_class[global]
    }

    pub(crate) fn set_function_class(&mut self, func: Func, class: u32) {
        self.function_class[func] = class;
    }

    pub(crate) fn set_global_class(&mut self, global: Global, class: u32) {
        self.global_class[global] = class;
    }

    /// What a constant is, in words that mean the same in both versions; `None` for the
    /// address of something that has no counterpart.
    pub fn constant_key(&self, constant: Constant) -> Option<ConstantKey> {
        let class = |class: u32| (class != UNMATCHED).then_some(class);
        Some(match constant {
            Constant::Bits(bits) => ConstantKey::Bits(bits),
            Constant::Undef => ConstantKey::Undef,
            Constant::GlobalAddress { global, offset } => {
                ConstantKey::Global(class(self.global_class[global])?, offset)
            }
            Constant::FunctionAddress(func) => {
                ConstantKey::Function(class(self.function_class[func])?)
            }
            Constant::BlockAddress { func, block } => {
                ConstantKey::Label(class(self.function_class[func])?, block.as_u32())
            }
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstantKey {
    Bits(u128),
    Undef,
    Global(u32, i64),
    Function(u32),
    Label(u32, u32),
}
