//! Links the modules of a program, and libc as far as it is needed, into one.
//!
//! What `llvm-link` would do in several calls, with `llvm-nm` and `opt` between them, in one process: starting LLVM takes longer than
//! linking a small program.
#![allow(unsafe_code)]

use std::collections::HashSet;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use llvm_sys::LLVMLinkage;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{
    LLVMInitializeX86AsmParser, LLVMInitializeX86Target, LLVMInitializeX86TargetInfo,
    LLVMInitializeX86TargetMC,
};

use crate::float_intrinsics::LIBRARY_FUNCTIONS_OF_INTRINSICS;
use crate::llvm::{record_diagnostic, shorten, take_message, text};

/// Where the VM enters a program.
const START_FUNCTION: &str = "__parallax_start";

/// What is linked.
#[derive(Clone, Debug, Default)]
pub struct LinkRequest {
    /// The program's modules, taken whole.
    pub modules: Vec<PathBuf>,
    /// What a program with a `main` starts with. One that was linked before has it.
    pub start: PathBuf,
    /// libc, of which only what is missing is taken.
    pub libc: PathBuf,
}

/// One module that is made of many.
#[derive(Debug)]
pub struct Linked {
    pub bitcode: Vec<u8>,
    pub has_main: bool,
    /// Symbols that nothing defines, sorted.
    pub undefined: Vec<String>,
}

/// Why modules could not be linked.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("{}: {problem}", module.display())]
    CannotRead { module: PathBuf, problem: String },
    #[error("linking {}: {problem}", module.display())]
    CannotLink { module: PathBuf, problem: String },
    #[error("the linked module is broken: {problem}")]
    Broken { problem: String },
}

/// Links modules whole, and libc as far as it is needed.
pub fn link(request: &LinkRequest) -> Result<Linked, LinkError> {
    let linker = Linker::new();
    for module in &request.modules {
        linker.add(module)?;
    }
    let program: Vec<Symbol> = linker.symbols();
    let defines = |wanted: &str| {
        program
            .iter()
            .any(|symbol| symbol.is_defined && symbol.name == wanted)
    };
    let has_main = defines("main");
    let is_new = !defines(START_FUNCTION);
    if has_main && is_new {
        linker.add(&request.start)?;
    }
    linker.declare_functions_of_intrinsics();
    let libc = linker.open(&request.libc)?;
    // What a program that was linked by us before defines is libc's own.
    if is_new {
        let functions = program
            .iter()
            .filter(|symbol| symbol.is_defined && symbol.is_function);
        libc.keep_own(&functions.map(|symbol| symbol.name.as_str()).collect());
    }
    linker.take_needed(libc, &request.libc)?;
    linker.verify()?;
    let undefined = linker.symbols().into_iter();
    let mut undefined: Vec<String> = undefined
        .filter(|symbol| !symbol.is_defined && !symbol.is_weak)
        .map(|symbol| symbol.name)
        .collect();
    undefined.sort();
    undefined.dedup();
    Ok(Linked {
        bitcode: linker.bitcode(),
        has_main,
        undefined,
    })
}

type SymbolVisitor = extern "C" fn(*mut c_void, *const c_char, usize, bool, bool, bool);

// Of linker.cpp.
unsafe extern "C" {
    fn parallax_merge_debug_types(context: LLVMContextRef);
    fn parallax_open(
        context: LLVMContextRef,
        path: *const c_char,
        message: *mut *mut c_char,
    ) -> LLVMModuleRef;
    fn parallax_link(destination: LLVMModuleRef, source: LLVMModuleRef, only_needed: bool) -> bool;
    fn parallax_visit_symbols(module: LLVMModuleRef, visit: SymbolVisitor, state: *mut c_void);
}

/// A symbol that other modules see.
struct Symbol {
    name: String,
    is_defined: bool,
    is_function: bool,
    is_weak: bool,
}

/// The module that grows, with its context.
struct Linker {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// Errors that LLVM reported. Owned, and a pointer because LLVM holds its address.
    diagnostics: *mut Vec<String>,
}

/// A module that was opened and is not linked yet; it belongs to the linker's context, which outlives it.
struct Opened(LLVMModuleRef);

impl Linker {
    fn new() -> Linker {
        // SAFETY: the context is new, and the handler's argument lives as long as it. Module assembly is read by a target's parser.
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmParser();
            let context = LLVMContextCreate();
            let diagnostics = Box::into_raw(Box::<Vec<String>>::default());
            LLVMContextSetDiagnosticHandler(context, Some(record_diagnostic), diagnostics.cast());
            parallax_merge_debug_types(context);
            Linker {
                context,
                module: LLVMModuleCreateWithNameInContext(c"program".as_ptr(), context),
                diagnostics,
            }
        }
    }

    /// Links a module whole.
    fn add(&self, path: &Path) -> Result<(), LinkError> {
        let module = self.open(path)?;
        self.join(module, path, false)
    }

    /// Links what is declared and not defined so far.
    fn take_needed(&self, library: Opened, path: &Path) -> Result<(), LinkError> {
        self.join(library, path, true)
    }

    fn open(&self, path: &Path) -> Result<Opened, LinkError> {
        let cannot_read = |problem: String| LinkError::CannotRead {
            module: path.to_owned(),
            problem: one_line(problem),
        };
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| cannot_read("its name has a zero byte".to_owned()))?;
        let mut message = ptr::null_mut();
        // SAFETY: the context is alive, the name is a C string, the message is ours.
        let (module, message) = unsafe {
            let module = parallax_open(self.context, name.as_ptr(), &mut message);
            (module, take_message(message))
        };
        if module.is_null() {
            return Err(cannot_read(self.explain(message)));
        }
        Ok(Opened(module))
    }

    fn join(&self, source: Opened, path: &Path, only_needed: bool) -> Result<(), LinkError> {
        // SAFETY: both modules are of this context; the source is given away.
        match unsafe { parallax_link(self.module, source.0, only_needed) } {
            false => Ok(()),
            true => Err(LinkError::CannotLink {
                module: path.to_owned(),
                problem: self.explain(String::new()),
            }),
        }
    }

    fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        // SAFETY: the module is alive, and the state is what `push_symbol` expects.
        unsafe { parallax_visit_symbols(self.module, push_symbol, (&raw mut symbols).cast()) };
        symbols
    }

    /// rustc, and clang without `errno`, write `llvm.sin.f64` where they mean `sin`, which a linker that only
    /// fills gaps cannot know.
    fn declare_functions_of_intrinsics(&self) {
        let mut meant = Vec::new();
        // SAFETY: the module is alive, and its functions with it.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                meant.extend(library_function_of(&name_of(function)));
                function = LLVMGetNextFunction(function);
            }
        }
        for name in meant {
            let name = CString::new(name).expect("names of the table have no zero byte");
            // SAFETY: context and module are alive; a symbol of that name is left as it is.
            unsafe {
                if LLVMGetNamedFunction(self.module, name.as_ptr()).is_null() {
                    let void = LLVMVoidTypeInContext(self.context);
                    let ty = LLVMFunctionType(void, ptr::null_mut(), 0, 0);
                    LLVMAddFunction(self.module, name.as_ptr(), ty);
                }
            }
        }
    }

    fn verify(&self) -> Result<(), LinkError> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is alive; the message is ours.
        let (broken, message) = unsafe {
            let broken = LLVMVerifyModule(self.module, action, &mut message);
            (broken != 0, take_message(message))
        };
        match broken {
            false => Ok(()),
            true => Err(LinkError::Broken {
                problem: self.explain(message),
            }),
        }
    }

    fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is alive; the buffer is ours until disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    fn explain(&self, message: String) -> String {
        // SAFETY: ours, and no call into LLVM is under way.
        let said = std::mem::take(unsafe { &mut *self.diagnostics });
        let parts: Vec<String> = said.into_iter().chain([message]).collect();
        one_line(parts.join(" "))
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        // SAFETY: all ours, and nothing that points into them outlives this.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.diagnostics));
        }
    }
}

impl Opened {
    /// libc for a program that may define functions of the same names: libc itself calls its own, as the host's shared
    /// libc does, whose calls of its own functions go by no name that a program could take. So these are made local to
    /// libc. Variables stay shared: the host's libc takes a program's definition of those. So do the functions that the VM
    /// provides (`malloc` and its relatives): they are not in libc, and a program's own are taken by both.
    fn keep_own(&self, taken: &HashSet<&str>) {
        let keep = |symbol: LLVMValueRef| {
            if taken.contains(name_of(symbol).as_str()) {
                // SAFETY: a global value of a module that is alive.
                unsafe { LLVMSetLinkage(symbol, LLVMLinkage::LLVMInternalLinkage) };
            }
        };
        // SAFETY: the module is alive, and its symbols with it.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.0);
            while !function.is_null() {
                if LLVMIsDeclaration(function) == 0 {
                    keep(function);
                }
                function = LLVMGetNextFunction(function);
            }
            let mut alias = LLVMGetFirstGlobalAlias(self.0);
            while !alias.is_null() {
                if !LLVMIsAFunction(LLVMAliasGetAliasee(alias)).is_null() {
                    keep(alias);
                }
                alias = LLVMGetNextGlobalAlias(alias);
            }
        }
    }
}

extern "C" fn push_symbol(
    state: *mut c_void,
    name: *const c_char,
    length: usize,
    is_defined: bool,
    is_function: bool,
    is_weak: bool,
) {
    // SAFETY: the list that was passed with this function, and a name with its length.
    unsafe {
        (*state.cast::<Vec<Symbol>>()).push(Symbol {
            name: text(name, length),
            is_defined,
            is_function,
            is_weak,
        });
    }
}

/// The name of a global value that is alive.
fn name_of(symbol: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: LLVM returns the name's bytes and their number.
    unsafe {
        let start = LLVMGetValueName2(symbol, &mut length);
        text(start, length)
    }
}

/// The function of libc that the reader turns an intrinsic into: `llvm.sin.f32` into `sinf`.
fn library_function_of(intrinsic: &str) -> Option<&'static str> {
    let (name, ty) = intrinsic.strip_prefix("llvm.")?.split_once('.')?;
    let suffix = match ty {
        "f64" => "",
        "f32" => "f",
        "f80" => "l",
        _ => return None,
    };
    let is_meant = |function: &&&str| function.strip_prefix(name) == Some(suffix);
    LIBRARY_FUNCTIONS_OF_INTRINSICS
        .iter()
        .find(is_meant)
        .copied()
}

fn one_line(message: String) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    match words.is_empty() {
        true => "LLVM gives no reason".to_owned(),
        false => shorten(words.join(" "), 300),
    }
}

#[cfg(test)]
mod tests {
    use super::library_function_of;

    #[test]
    fn intrinsics_name_their_library_functions() {
        assert_eq!(library_function_of("llvm.sin.f64"), Some("sin"));
        assert_eq!(library_function_of("llvm.exp2.f32"), Some("exp2f"));
        assert_eq!(library_function_of("llvm.sinh.f80"), Some("sinhl"));
        assert_eq!(library_function_of("llvm.sqrt.f64"), None);
        assert_eq!(library_function_of("llvm.sin.v2f64"), None);
        assert_eq!(library_function_of("sin"), None);
    }
}
