//! What a linker makes of sections.
//!
//! | section of a variable | meaning |
//! |---|---|
//! | `.preinit_array`, `.init_array`, `.fini_array`, also with `.N` behind | functions that are called before `main` or at exit: entries of the *linker's arrays*, beside those of `llvm.global_ctors` and `llvm.global_dtors` |
//! | a C identifier `X`, if the program asks for `__start_X` or `__stop_X` | a *collected section*: all its variables lie in one array between the two symbols |
//! | `.ctors`, `.dtors`, `.init`, `.fini` | refused: what they mean is the linker's choice |
//! | any other | none for a run |
//!
//! **Order.** A linker sorts by the number behind the name; entries without a number come last. Entries of one number
//! come in the order of the object files, and within one, as clang writes them, variables before constructors. Here, where
//! the object files are one module, variables come before constructors altogether.

use crate::ReadError;
use crate::globals::{is_import, linkage};
use crate::llvm::{self, TypeKind};
use crate::translation::{Translation, int_bits};
use program_ir::{Constant, Func, Global, GlobalData, Initialiser, Linkage, Relocation, Type};

/// An array of functions that the C library calls.
struct LinkerArray {
    /// Sections that are part of it, also with a number behind.
    section: &'static str,
    /// LLVM's list of functions that are part of it.
    list: Option<&'static str>,
    start: &'static str,
    end: &'static str,
}

const LINKER_ARRAYS: [LinkerArray; 3] = [
    LinkerArray {
        section: ".preinit_array",
        list: None,
        start: "__preinit_array_start",
        end: "__preinit_array_end",
    },
    LinkerArray {
        section: ".init_array",
        list: Some("llvm.global_ctors"),
        start: "__init_array_start",
        end: "__init_array_end",
    },
    LinkerArray {
        section: ".fini_array",
        list: Some("llvm.global_dtors"),
        start: "__fini_array_start",
        end: "__fini_array_end",
    },
];

const REFUSED: [&str; 4] = [".ctors", ".dtors", ".init", ".fini"];

/// What comes without a number comes last.
const NO_NUMBER: u32 = u32::MAX;

/// Of a constructor without a priority.
const DEFAULT_PRIORITY: u128 = 65535;

/// A section whose bounds the program asks for.
#[derive(Clone, Debug)]
pub(crate) struct CollectedSection {
    global: Global,
    /// Its variables and where they lie in it.
    members: Vec<(llvm::Value, u64)>,
}

/// A part of a linker's array.
#[derive(Clone, Copy)]
struct Entry {
    what: EntryKind,
    size: u64,
    /// What lies between two parts because of it is zero, and called like the rest.
    align: u64,
}

#[derive(Clone, Copy)]
enum EntryKind {
    Function(llvm::Value),
    Variable(llvm::Value),
}

pub(crate) fn is_array_end(name: &str) -> bool {
    LINKER_ARRAYS.iter().any(|array| array.end == name)
}

/// Refuses a variable in a section whose meaning is not known.
pub(crate) fn check(section: Option<&str>, variable: &str) -> Result<(), ReadError> {
    let Some(section) = section else {
        return Ok(());
    };
    match REFUSED.iter().any(|name| number(section, name).is_some()) {
        true => Err(ReadError::Unsupported(format!(
            "the variable `{variable}` is in the section `{section}`, and what that means is the linker's choice; \
             use `.init_array` or `.fini_array`"
        ))),
        false => Ok(()),
    }
}

/// External variables that have a meaning although no code mentions them.
pub(crate) fn names_to_keep(module: &llvm::Module) -> Vec<String> {
    let wanted = sections_asked_for(module);
    let is_kept = |variable: llvm::Value| {
        let section = variable.section()?;
        let in_array = LINKER_ARRAYS
            .iter()
            .any(|array| number(&section, array.section).is_some());
        (in_array || wanted.contains(&section)).then(|| variable.name())
    };
    globals(module).filter_map(is_kept).collect()
}

/// The number behind the name of a section, if it is this one.
fn number(section: &str, name: &str) -> Option<u32> {
    match section.strip_prefix(name)? {
        "" => Some(NO_NUMBER),
        rest => rest.strip_prefix('.')?.parse().ok(),
    }
}

fn globals(module: &llvm::Module) -> impl Iterator<Item = llvm::Value> {
    std::iter::successors(module.first_global(), |global| global.next_global())
}

/// The section of a symbol that stands for a bound of it.
fn bound_of(symbol: &str) -> Option<&str> {
    let prefixes = ["__start_", "__stop_"];
    prefixes
        .iter()
        .find_map(|prefix| symbol.strip_prefix(prefix))
}

fn sections_asked_for(module: &llvm::Module) -> Vec<String> {
    let mut wanted: Vec<String> = globals(module)
        .filter(|variable| is_import(linkage(*variable)))
        .filter_map(|variable| bound_of(&variable.name()).map(str::to_owned))
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

// Collected sections.

impl Translation<'_> {
    pub(crate) fn is_collected(&self, global: Global) -> bool {
        let mut sections = self.collected_sections.iter();
        sections.any(|section| section.global == global)
    }

    /// Gives variables of collected sections, and the bounds of these, their addresses.
    pub(crate) fn declare_collected_sections(&mut self) {
        for name in sections_asked_for(self.llvm) {
            let is_member = |variable: &llvm::Value| {
                !is_import(linkage(*variable)) && variable.section().as_ref() == Some(&name)
            };
            let variables: Vec<llvm::Value> = globals(self.llvm).filter(is_member).collect();
            if variables.is_empty() {
                continue;
            }
            let (mut size, mut align) = (0_u64, 1);
            let mut members = Vec::new();
            for &variable in &variables {
                let ty = variable.global_value_type();
                let own_align = match variable.alignment() {
                    0 => self.llvm.alignment(ty),
                    own => own,
                };
                align = align.max(own_align);
                size = size.next_multiple_of(u64::from(own_align.max(1)));
                members.push((variable, size));
                size += self.llvm.alloc_size(ty);
            }
            let global = self.module.globals.push(GlobalData {
                name: format!("section {name}"),
                linkage: Linkage::Local,
                size,
                align,
                constant: variables.iter().all(|one| one.is_global_constant()),
                thread_local: false,
                section: Some(name.clone()),
                initialiser: Initialiser::default(),
                info: None,
            });
            let at = |offset: u64| Constant::GlobalAddress {
                global,
                offset: offset as i64,
            };
            for &(variable, offset) in &members {
                self.addresses.insert(variable, at(offset));
                let symbol = variable.name();
                if !symbol.is_empty() {
                    self.module.aliases.insert(symbol, at(offset));
                }
            }
            for bound in globals(self.llvm).filter(|variable| is_import(linkage(*variable))) {
                let symbol = bound.name();
                if bound_of(&symbol) == Some(&name) {
                    let end = if symbol.starts_with("__stop_") {
                        size
                    } else {
                        0
                    };
                    self.addresses.insert(bound, at(end));
                }
            }
            self.collected_sections
                .push(CollectedSection { global, members });
        }
    }

    pub(crate) fn fill_collected_sections(&mut self) -> Result<(), ReadError> {
        for section in self.collected_sections.clone() {
            let initialiser = self.initialiser_of(&section.members)?;
            self.module.globals[section.global].initialiser = initialiser;
        }
        Ok(())
    }
}

// Constructors and destructors. A linker gathers them in arrays between two symbols that the C library declares; here
// an array is one global, and the end symbol is an address past its end.

impl Translation<'_> {
    pub(crate) fn declare_linker_arrays(&mut self) -> Result<(), ReadError> {
        for array in &LINKER_ARRAYS {
            let entries = self.entries(array)?;
            let size = entries
                .last()
                .map_or(0, |(offset, entry)| offset + entry.size);
            let declared = self.module.global_named(array.start);
            let end_is_used = self.array_ends.iter().any(|(_, name)| name == array.end);
            if declared.is_none() && size == 0 && !end_is_used {
                continue;
            }
            let data = GlobalData {
                name: array.start.to_owned(),
                linkage: Linkage::Local,
                size,
                align: 8,
                constant: true,
                thread_local: false,
                section: None,
                initialiser: Initialiser::default(),
                info: None,
            };
            let global = match declared {
                Some(global) => {
                    self.module.globals[global] = data;
                    global
                }
                None => self.module.globals.push(data),
            };
            let end_address = Constant::GlobalAddress {
                global,
                offset: size as i64,
            };
            let ends = self.array_ends.iter();
            for (variable, _) in ends.filter(|(_, name)| name == array.end) {
                self.addresses.insert(*variable, end_address);
            }
            let end = array.end.to_owned();
            self.module.aliases.insert(end, end_address);
        }
        Ok(())
    }

    pub(crate) fn fill_linker_arrays(&mut self) -> Result<(), ReadError> {
        for array in &LINKER_ARRAYS {
            let Some(global) = self.module.global_named(array.start) else {
                continue;
            };
            let mut filled = Initialiser::default();
            for (offset, entry) in self.entries(array)? {
                match entry.what {
                    EntryKind::Function(function) => {
                        let address = self.linear(function);
                        if let Some(constant) = address.and_then(|one| one.as_constant(Type::Ptr)) {
                            filled.relocations.push(Relocation {
                                offset,
                                size: 8,
                                constant,
                                minus: None,
                            });
                        }
                    }
                    EntryKind::Variable(variable) => {
                        let part = self.initialiser_of(&[(variable, offset)])?;
                        filled.relocations.extend(part.relocations);
                        if filled.bytes.len() < part.bytes.len() {
                            filled.bytes.resize(part.bytes.len(), 0);
                        }
                        for (at, byte) in part.bytes.into_iter().enumerate() {
                            filled.bytes[at] |= byte;
                        }
                    }
                }
            }
            self.module.globals[global].initialiser = filled;
        }
        Ok(())
    }

    /// What a linker's array consists of, in order, and where it lies in it.
    fn entries(&self, array: &LinkerArray) -> Result<Vec<(u64, Entry)>, ReadError> {
        let mut entries = Vec::new();
        for variable in globals(self.llvm) {
            let section = variable.section();
            let number = section
                .as_deref()
                .and_then(|own| number(own, array.section));
            let Some(number) = number.filter(|_| !is_import(linkage(variable))) else {
                continue;
            };
            let size = self.llvm.alloc_size(variable.global_value_type());
            if !size.is_multiple_of(8) {
                return Err(ReadError::Unsupported(format!(
                    "the variable `{}` of {size} bytes is no part of an array of functions, but lies in `{}`",
                    variable.name(),
                    array.section
                )));
            }
            let entry = Entry {
                what: EntryKind::Variable(variable),
                size,
                align: u64::from(variable.alignment().max(8)),
            };
            entries.push((number, entry));
        }
        for (priority, function) in array.list.map_or(Vec::new(), |list| self.structors(list)) {
            let number = match priority {
                DEFAULT_PRIORITY => NO_NUMBER,
                priority => u32::try_from(priority).unwrap_or(NO_NUMBER),
            };
            let entry = Entry {
                what: EntryKind::Function(function),
                size: 8,
                align: 8,
            };
            entries.push((number, entry));
        }
        entries.sort_by_key(|(number, _)| *number);
        let mut end = 0_u64;
        let place = |(_, entry): (u32, Entry)| {
            let offset = end.next_multiple_of(entry.align);
            end = offset + entry.size;
            (offset, entry)
        };
        Ok(entries.into_iter().map(place).collect())
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors` with their priorities.
    fn structors(&self, list: &str) -> Vec<(u128, llvm::Value)> {
        let mut entries = Vec::new();
        for global in globals(self.llvm).filter(|global| global.name() == list) {
            let Some(array) = global.initialiser() else {
                continue;
            };
            let length = match array.ty().kind() {
                TypeKind::LLVMArrayTypeKind => array.ty().array_length() as u32,
                _ => 0,
            };
            for index in 0..length {
                let entry = array.aggregate_element(index);
                let part = |index| entry.and_then(|entry| entry.aggregate_element(index));
                if let (Some(priority), Some(function)) = (part(0), part(1))
                    && !function.is_null()
                {
                    let priority = int_bits(priority).unwrap_or(DEFAULT_PRIORITY);
                    entries.push((priority, function));
                }
            }
        }
        entries
    }

    /// The function that chooses what an indirect function is, if it can be called without arguments.
    pub(crate) fn resolver(&self, ifunc: llvm::Value) -> Option<Func> {
        let Some(&Constant::FunctionAddress(resolver)) = self.addresses.get(&ifunc.resolver())
        else {
            return None;
        };
        let signature = &self.module.functions[resolver].signature;
        signature.params.is_empty().then_some(resolver)
    }
}
