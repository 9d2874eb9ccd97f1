//! What a run is given: arguments, environment, standard input, files and named
//! variables, each with its concrete bytes and whether they are symbolic.

use crate::linux::{Bytes, FileConfig, KernelConfig};
use expr::{Model, Store, Symbol};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of the input: what they are in this run, and whether another run may have others.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputBytes {
    pub bytes: Vec<u8>,
    pub symbolic: bool,
    /// By place: bytes of a symbolic part that are the same in every run. Empty if there are none.
    #[serde(default)]
    pub fixed: Vec<bool>,
}

impl InputBytes {
    pub fn concrete(bytes: impl Into<Vec<u8>>) -> InputBytes {
        InputBytes {
            bytes: bytes.into(),
            symbolic: false,
            fixed: Vec::new(),
        }
    }

    pub fn symbolic(bytes: impl Into<Vec<u8>>) -> InputBytes {
        InputBytes {
            bytes: bytes.into(),
            symbolic: true,
            fixed: Vec::new(),
        }
    }

    /// Some bytes that are the same in every run, and others (`None`) that are not.
    pub fn pattern(pattern: &[Option<u8>]) -> InputBytes {
        InputBytes {
            bytes: pattern.iter().map(|byte| byte.unwrap_or(0)).collect(),
            symbolic: true,
            fixed: pattern.iter().map(Option::is_some).collect(),
        }
    }

    /// Whether another run may have another byte there.
    pub fn varies(&self, place: usize) -> bool {
        self.symbolic && !self.fixed.get(place).is_some_and(|&fixed| fixed)
    }

    /// A symbolic string of at most `length` bytes: as many symbols, of which the first
    /// that is zero ends the string.
    pub fn symbolic_string(value: &[u8], length: usize) -> InputBytes {
        let mut bytes = value.to_vec();
        bytes.resize(length, 0);
        InputBytes::symbolic(bytes)
    }

    /// The bytes before the first zero: what a string of these bytes is.
    pub fn string(&self) -> &[u8] {
        let end = self.bytes.iter().position(|&byte| byte == 0);
        &self.bytes[..end.unwrap_or(self.bytes.len())]
    }

    fn terms(&self, store: &mut Store, symbol: impl Fn(u32) -> Symbol) -> Vec<u32> {
        let terms = (0..self.bytes.len() as u32).map(|offset| {
            if self.varies(offset as usize) {
                store.symbol_term(&symbol(offset)).raw()
            } else {
                0
            }
        });
        terms.collect()
    }

    fn with_terms(&self, store: &mut Store, symbol: impl Fn(u32) -> Symbol) -> Bytes {
        let terms = self.terms(store, symbol);
        Bytes::symbolic(self.bytes.clone(), terms)
    }
}

/// The input of one run. Two inputs of the same shape differ only in the bytes of
/// symbolic parts, and in variables.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymbolicInput {
    /// Arguments; the first is the program's own name.
    pub args: Vec<InputBytes>,
    /// Name and value.
    pub environment: Vec<(String, InputBytes)>,
    pub stdin: InputBytes,
    /// By absolute path in the guest.
    pub files: BTreeMap<String, InputBytes>,
    /// What `parallax_symbolic` gives out, by name; what is missing is zero.
    pub variables: BTreeMap<String, Vec<u8>>,
}

impl SymbolicInput {
    /// Puts streams and files into a process's surroundings.
    pub(super) fn place(&self, store: &mut Store, kernel: &mut KernelConfig) {
        kernel.stdin = self
            .stdin
            .with_terms(store, |offset| Symbol::Stdin { offset });
        for (path, content) in &self.files {
            let name: Arc<str> = path.as_str().into();
            let bytes = content.with_terms(store, |offset| Symbol::File {
                name: name.clone(),
                offset,
            });
            let file = FileConfig::file(bytes);
            kernel.files.insert(path.clone().into_bytes(), file);
        }
    }

    /// The strings that the process starts with: arguments, and `NAME=value`.
    pub(super) fn strings(&self, store: &mut Store) -> (Vec<Bytes>, Vec<Bytes>) {
        let args =
            self.args.iter().zip(0..).map(|(content, arg)| {
                content.with_terms(store, |offset| Symbol::Arg { arg, offset })
            });
        let args = args.collect();
        let environment = self.environment.iter().map(|(name, content)| {
            let shared: Arc<str> = name.as_str().into();
            let value = content.with_terms(store, |offset| Symbol::Env {
                name: shared.clone(),
                offset,
            });
            let mut whole = Bytes::concrete(format!("{name}="));
            whole.append(value.view());
            whole
        });
        (args, environment.collect())
    }

    /// The value of every symbol that the input has. Variables are those given, each of the
    /// size it has in the program; see [`super::SymbolicRun::variables`].
    pub fn model(&self, store: &mut Store, variables: &[(Arc<str>, u32)]) -> Model {
        let mut model = Model::new();
        let mut set = |symbol: Symbol, value: u8| {
            let term = store.symbol_term(&symbol);
            let id = store.as_symbol(term).expect("a symbol's term");
            model.set(id, u64::from(value));
        };
        self.for_each_symbol(variables, &mut set);
        model
    }

    /// A byte of a variable; what is not given is zero.
    pub(super) fn variable_byte(&self, name: &str, offset: u32) -> u8 {
        let bytes = self.variables.get(name);
        let byte = bytes.and_then(|bytes| bytes.get(offset as usize));
        byte.copied().unwrap_or(0)
    }

    /// The same input with the values of `model`; a symbol without one keeps its value.
    pub fn with_model(&self, store: &Store, model: &Model) -> SymbolicInput {
        let mut input = self.clone();
        for (id, value) in model.iter() {
            let value = value as u8;
            let place = match store.symbol(id) {
                Symbol::Arg { arg, offset } => {
                    input.args.get_mut(*arg as usize).map(|arg| (arg, *offset))
                }
                Symbol::Stdin { offset } => Some((&mut input.stdin, *offset)),
                Symbol::File { name, offset } => {
                    input.files.get_mut(&**name).map(|file| (file, *offset))
                }
                Symbol::Env { name, offset } => {
                    let mut all = input.environment.iter_mut();
                    all.find(|entry| *entry.0 == **name)
                        .map(|entry| (&mut entry.1, *offset))
                }
                Symbol::Variable { name, offset, size } => {
                    let bytes = input.variables.entry(name.to_string()).or_default();
                    bytes.resize(*size as usize, 0);
                    bytes[*offset as usize] = value;
                    None
                }
                _ => None,
            };
            if let Some((content, offset)) = place
                && content.varies(offset as usize)
                && let Some(byte) = content.bytes.get_mut(offset as usize)
            {
                *byte = value;
            }
        }
        input
    }

    /// Every symbol with its value, in an order that depends on the input's shape and the variables alone.
    pub(super) fn for_each_symbol(
        &self,
        variables: &[(Arc<str>, u32)],
        mut visit: impl FnMut(Symbol, u8),
    ) {
        let mut each = |content: &InputBytes, symbol: &dyn Fn(u32) -> Symbol| {
            for (offset, &value) in (0..).zip(&content.bytes) {
                if content.varies(offset as usize) {
                    visit(symbol(offset), value);
                }
            }
        };
        for (arg, content) in (0..).zip(&self.args) {
            each(content, &|offset| Symbol::Arg { arg, offset });
        }
        for (name, content) in &self.environment {
            let name: Arc<str> = name.as_str().into();
            each(content, &|offset| Symbol::Env {
                name: name.clone(),
                offset,
            });
        }
        each(&self.stdin, &|offset| Symbol::Stdin { offset });
        for (name, content) in &self.files {
            let name: Arc<str> = name.as_str().into();
            each(content, &|offset| Symbol::File {
                name: name.clone(),
                offset,
            });
        }
        for (name, size) in variables {
            for offset in 0..*size {
                let symbol = Symbol::Variable {
                    name: name.clone(),
                    offset,
                    size: *size,
                };
                visit(symbol, self.variable_byte(name, offset));
            }
        }
    }
}
