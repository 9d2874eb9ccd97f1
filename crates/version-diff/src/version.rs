//! One version of the program with its symbols classified.
//!
//! A *class* is a number shared by the things of the two versions that are taken to be
//! the same: matched functions have one class, matched globals too, and anonymous
//! constants (string literals and the like) have one class per content. Comparing
//! classes instead of ids is what makes renumbering no change.
//!
//! The address of a *label* (`&&label`) is a function and a block. Block numbers of two bodies mean
//! the same only if the bodies are the same instruction by instruction; the labels of any other
//! function have no counterpart ([`ClassifiedModule::forget_labels`]), so that whatever mentions one is a change.
//!
//! A symbol has an address of its own, or, if it is weak and nobody defines it, the address 0. Where this
//! differs between the versions, the address of the symbol has no counterpart either.

use program_ir::{Constant, Func, Global, Linkage, Module, SecondaryMap, ValueDef};
use std::collections::BTreeSet;

/// No counterpart in the other version. Never equal to a class.
pub const UNMATCHED: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct ClassifiedModule<'a> {
    pub module: &'a Module,
    function_class: SecondaryMap<Func, u32>,
    global_class: SecondaryMap<Global, u32>,
    /// Functions whose labels have no counterpart.
    other_labels: BTreeSet<Func>,
}

impl<'a> ClassifiedModule<'a> {
    pub fn new(module: &'a Module) -> Self {
        ClassifiedModule {
            module,
            function_class: SecondaryMap::with_default(UNMATCHED),
            global_class: SecondaryMap::with_default(UNMATCHED),
            other_labels: BTreeSet::new(),
        }
    }

    /// Nothing is the same any more, and labels without counterpart stay so.
    pub(crate) fn without_classes(self) -> Self {
        ClassifiedModule {
            other_labels: self.other_labels,
            ..ClassifiedModule::new(self.module)
        }
    }

    /// Functions that the addresses of labels are taken of, in code or in initialisers.
    pub(crate) fn labelled(&self) -> BTreeSet<Func> {
        let mut labelled = BTreeSet::new();
        let mut note = |constant: Constant| {
            if let Constant::BlockAddress { func, .. } = constant {
                labelled.insert(func);
            }
        };
        for function in self.module.functions.values() {
            for value in function.values.values() {
                if let ValueDef::Constant(constant) = value.def {
                    note(constant);
                }
            }
        }
        for global in self.module.globals.values() {
            for relocation in &global.initialiser.relocations {
                note(relocation.constant);
                relocation.minus.into_iter().for_each(&mut note);
            }
        }
        labelled
    }

    /// The labels of a function have no counterpart from now on. Whether they had one.
    pub(crate) fn forget_labels(&mut self, func: Func) -> bool {
        self.other_labels.insert(func)
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
                let linkage = self.module.globals[global].linkage;
                ConstantKey::Global(class(self.global_class[global])?, offset, linkage.into())
            }
            Constant::FunctionAddress(func) => {
                let linkage = self.module.functions[func].linkage;
                ConstantKey::Function(class(self.function_class[func])?, linkage.into())
            }
            Constant::BlockAddress { func, block } => {
                if self.other_labels.contains(&func) {
                    return None;
                }
                ConstantKey::Label(class(self.function_class[func])?, block.as_u32())
            }
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstantKey {
    Bits(u128),
    Undef,
    Global(u32, i64, Definition),
    Function(u32, Definition),
    Label(u32, u32),
}

/// What a symbol's linkage means for its address and its use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// By the program; who else may see the symbol is of no consequence once a program is linked.
    Here,
    /// By nobody: the machine provides it, or its use is an error.
    Elsewhere,
    /// By nobody, and its address is 0 for that reason.
    Nowhere,
}

impl From<Linkage> for Definition {
    fn from(linkage: Linkage) -> Self {
        match linkage {
            Linkage::Local | Linkage::Exported => Definition::Here,
            Linkage::Import => Definition::Elsewhere,
            Linkage::WeakImport => Definition::Nowhere,
        }
    }
}
