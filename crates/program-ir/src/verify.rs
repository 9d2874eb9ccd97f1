//! The verifier: checks that a module keeps the promises that every reader of it relies
//! on. A violation is a bug of whoever built the module, never of the program in it.
//!
//! Invariants of a module
//! 1. Every id (function, global, block, value, instruction, location, scope, file,
//!    debug type, variable) that is mentioned exists.
//! 2. Relocations are in order of offset, do not overlap, and lie, like the bytes,
//!    inside the global. Imports have neither; imported functions, and only they, have
//!    no body, and nothing that belongs to one.
//!
//! Invariants of a function with a body
//! 3. The entry block's parameters have the types of the signature, and no edge leads to
//!    the entry.
//! 4. A block's last instruction, and only it, is a terminator; every instruction is in
//!    exactly one block.
//! 5. The definition that a value names (parameter, result, constant) names it back,
//!    and results are consecutive.
//! 6. Types are those that the instruction demands: of operands, results, constants,
//!    edge arguments, direct calls and returns. Integers are 1 to 128 bits wide, and a
//!    constant has no bits beyond its type.
//! 7. A definition dominates its uses (in code that can be reached). The results of an
//!    `Invoke` are defined on its normal edge only, and not for the arguments of that
//!    edge.
//! 8. A switch has no case twice.
//! 9. Alignments (also of globals) are powers of two.

mod dominance;
mod instruction;

use crate::{
    Block, Constant, EntityRef, Func, Function, GlobalData, Inst, Linkage, Loc, Module, Scope,
    Type, Value, ValueDef, VariablePlace,
};
use std::fmt;

/// A broken invariant: which, where, how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Number in the list of this module's header.
    pub invariant: u8,
    /// The function that breaks it, if it is not the module.
    pub func: Option<Func>,
    /// The instruction that breaks it, if it is one.
    pub inst: Option<Inst>,
    /// `fn3 name: inst7` or the like.
    pub place: String,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerifyError {
            invariant,
            place,
            message,
            ..
        } = self;
        write!(f, "{place}: {message} (invariant {invariant})")
    }
}

impl std::error::Error for VerifyError {}

/// All broken invariants of a module; empty if it is sound.
pub fn verify(module: &Module) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    verify_source(module, &mut errors);
    for (global, data) in module.globals.iter() {
        let place = format!("{global} {}", data.name);
        verify_global(module, data, &place, &mut errors);
    }
    for (name, &constant) in &module.aliases {
        if let Some(message) = constant_problem(module, constant) {
            errors.push(error(1, &format!("alias {name}"), message));
        }
    }
    for func in module.functions.keys() {
        errors.extend(verify_function(module, func));
    }
    errors
}

/// The broken invariants of one function.
pub fn verify_function(module: &Module, func: Func) -> Vec<VerifyError> {
    let function = &module.functions[func];
    let mut check = Check {
        module,
        func,
        function,
        name: format!("{func} {}", function.name),
        errors: Vec::new(),
    };
    check.function();
    check.errors
}

fn error(invariant: u8, place: &str, message: impl Into<String>) -> VerifyError {
    VerifyError {
        invariant,
        func: None,
        inst: None,
        place: place.to_owned(),
        message: message.into(),
    }
}

fn verify_source(module: &Module, errors: &mut Vec<VerifyError>) {
    let source = &module.source;
    let mut require = |exists: bool, place: String, what: &str| {
        if !exists {
            errors.push(error(1, &place, format!("{what} does not exist")));
        }
    };
    for (scope, data) in source.scopes.iter() {
        require(source.files.is_valid(data.file), scope.to_string(), "file");
        let earlier = data.parent.is_none_or(|parent| parent < scope);
        require(earlier, scope.to_string(), "parent before it");
        let types = data.signature.iter().flatten();
        let known = types.copied().all(|ty| source.types.is_valid(ty));
        require(known, scope.to_string(), "type");
    }
    for (loc, data) in source.locs.iter() {
        require(source.scopes.is_valid(data.scope), loc.to_string(), "scope");
        let earlier = data.inlined_at.is_none_or(|outer| outer < loc);
        require(earlier, loc.to_string(), "inlined call before it");
    }
    for (ty, data) in source.types.iter() {
        let mut known = true;
        data.for_each_type(|inner| known &= source.types.is_valid(inner));
        require(known, ty.to_string(), "inner type");
    }
}

fn verify_global(module: &Module, data: &GlobalData, place: &str, errors: &mut Vec<VerifyError>) {
    let mut fail = |invariant, message: &str| errors.push(error(invariant, place, message));
    let initialiser = &data.initialiser;
    if !data.align.is_power_of_two() {
        fail(9, "alignment is not a power of two");
    }
    if initialiser.bytes.len() as u64 > data.size {
        fail(2, "more bytes than its size");
    }
    let is_import = matches!(data.linkage, Linkage::Import | Linkage::WeakImport);
    if is_import && (!initialiser.bytes.is_empty() || !initialiser.relocations.is_empty()) {
        fail(2, "an import has contents");
    }
    let mut end = 0;
    for relocation in &initialiser.relocations {
        if relocation.offset < end {
            fail(2, "relocations overlap or are out of order");
        }
        end = relocation.offset.saturating_add(u64::from(relocation.size));
        if end > data.size || !(1..=8).contains(&relocation.size) {
            fail(2, "relocation outside of the global");
        }
        for constant in [Some(relocation.constant), relocation.minus] {
            if let Some(problem) = constant.and_then(|it| constant_problem(module, it)) {
                fail(1, problem);
            }
        }
    }
    if let Some(info) = &data.info {
        let source = &module.source;
        if !source.files.is_valid(info.file) || info.ty.is_some_and(|ty| !source.types.is_valid(ty))
        {
            fail(1, "file or type of its debug information does not exist");
        }
    }
}

fn constant_problem(module: &Module, constant: Constant) -> Option<&'static str> {
    match constant {
        Constant::Bits(_) | Constant::Undef => None,
        Constant::GlobalAddress { global, .. } if !module.globals.is_valid(global) => {
            Some("address of a global that does not exist")
        }
        Constant::FunctionAddress(func) if !module.functions.is_valid(func) => {
            Some("address of a function that does not exist")
        }
        Constant::BlockAddress { func, block } => match module.functions.get(func) {
            Some(function) if function.blocks.is_valid(block) => None,
            _ => Some("address of a block that does not exist"),
        },
        Constant::GlobalAddress { .. } | Constant::FunctionAddress(_) => None,
    }
}

/// Whether there are values of this type.
fn exists(ty: Type) -> bool {
    match ty {
        Type::Int(width) => (1..=128).contains(&width),
        _ => true,
    }
}

/// The check of one function.
struct Check<'a> {
    module: &'a Module,
    func: Func,
    function: &'a Function,
    name: String,
    errors: Vec<VerifyError>,
}

impl Check<'_> {
    fn fail(&mut self, invariant: u8, place: impl fmt::Display, message: impl Into<String>) {
        let place = format!("{}: {place}", self.name);
        self.errors.push(VerifyError {
            func: Some(self.func),
            ..error(invariant, &place, message)
        });
    }

    fn fail_at(&mut self, invariant: u8, inst: Inst, message: impl Into<String>) {
        self.fail(invariant, inst, message);
        if let Some(error) = self.errors.last_mut() {
            error.inst = Some(inst);
        }
    }

    fn function(&mut self) {
        let function = self.function;
        if let Some(scope) = function.scope
            && !self.module.source.scopes.is_valid(scope)
        {
            self.fail(1, scope, "does not exist");
        }
        let is_import = matches!(function.linkage, Linkage::Import | Linkage::WeakImport);
        if is_import != function.is_declaration() {
            self.fail(2, "linkage", "imports, and only they, have no body");
        }
        let types = function.signature.params.iter();
        if types
            .chain(&function.signature.returns)
            .any(|&ty| !exists(ty))
        {
            self.fail(6, "signature", "integer width out of range");
        }
        let Some(entry) = function.entry() else {
            if !function.insts.is_empty()
                || !function.values.is_empty()
                || !function.variables.is_empty()
                || !function.bindings.is_empty()
            {
                self.fail(2, "body", "an import has values, instructions or variables");
            }
            return;
        };
        let params = &function.blocks[entry].params;
        let known = params.iter().all(|&param| function.values.is_valid(param));
        if !known
            || !params.iter().map(|&param| function.ty(param)).eq(function
                .signature
                .params
                .iter()
                .copied())
        {
            self.fail(3, entry, "parameters differ from the signature");
        }
        self.values();
        self.blocks();
        self.variables();
        // The rest would stumble over what is already known to be broken.
        if !self.errors.is_empty() {
            return;
        }
        for inst in function.insts.keys() {
            self.instruction(inst);
        }
        if self.errors.is_empty() {
            self.dominance();
        }
    }

    fn values(&mut self) {
        let function = self.function;
        for (value, data) in function.values.iter() {
            if !exists(data.ty) {
                self.fail(6, value, "integer width out of range");
            }
            match data.def {
                ValueDef::Param(block, index) => {
                    let block = function.blocks.get(block);
                    let param = block.and_then(|block| block.params.get(index as usize));
                    if param != Some(&value) {
                        self.fail(5, value, "is not the parameter that it says");
                    }
                }
                ValueDef::Result(inst, index) => {
                    let node = function.insts.get(inst);
                    let matches = node.is_some_and(|node| {
                        index < node.result_count
                            && node.first_result.is_some_and(|first| {
                                first.index() + usize::from(index) == value.index()
                            })
                    });
                    if !matches {
                        self.fail(5, value, "is not the result that it says");
                    }
                }
                ValueDef::Constant(constant) => self.constant(value, data.ty, constant),
            }
        }
    }

    fn constant(&mut self, value: Value, ty: Type, constant: Constant) {
        if let Some(problem) = constant_problem(self.module, constant) {
            self.fail(1, value, problem);
        }
        match constant {
            Constant::Undef => {}
            Constant::Bits(bits) => {
                if ty.bits() < 128 && bits >> ty.bits() != 0 {
                    self.fail(6, value, "constant has bits beyond its type");
                }
            }
            _ if ty == Type::Ptr || ty == Type::I64 => {}
            _ => self.fail(6, value, "address that is not a ptr or i64"),
        }
    }

    fn blocks(&mut self) {
        let function = self.function;
        let mut seen = vec![false; function.insts.len()];
        for (block, data) in function.blocks.iter() {
            for (index, &param) in data.params.iter().enumerate() {
                let def = function.values.get(param).map(|value| value.def);
                if def != Some(ValueDef::Param(block, index as u32)) {
                    self.fail(5, param, format!("is not parameter {index} of {block}"));
                }
            }
            for (index, &inst) in data.insts.iter().enumerate() {
                let Some(node) = function.insts.get(inst) else {
                    self.fail_at(1, inst, "does not exist");
                    continue;
                };
                if std::mem::replace(&mut seen[inst.index()], true) {
                    self.fail_at(4, inst, "is in two places");
                }
                let is_last = index + 1 == data.insts.len();
                if node.data.is_terminator() != is_last {
                    self.fail_at(4, inst, "the last of a block, and only it, is a terminator");
                }
                self.node(inst);
            }
            if data.insts.is_empty() {
                self.fail(4, block, "is empty");
            }
        }
        if let Some(index) = seen.iter().position(|&seen| !seen) {
            self.fail(4, Inst::new(index), "is in no block");
        }
    }

    /// Ids that an instruction mentions.
    fn node(&mut self, inst: Inst) {
        let function = self.function;
        let node = &function.insts[inst];
        if node
            .loc
            .is_some_and(|loc: Loc| !self.module.source.locs.is_valid(loc))
        {
            self.fail_at(1, inst, "location does not exist");
        }
        // Compared before they become ids: any number can stand in an image.
        let count = usize::from(node.result_count);
        match node.first_result {
            Some(first) if count > 0 && first.index() + count <= function.values.len() => {
                let is_result = |(index, result): (usize, Value)| {
                    function.values[result].def == ValueDef::Result(inst, index as u16)
                };
                if !function.results(inst).enumerate().all(is_result) {
                    self.fail_at(5, inst, "values that should be its results are not");
                }
            }
            None if count == 0 => {}
            _ => self.fail_at(5, inst, "count and first of its results do not fit"),
        }
        let mut missing = None;
        node.data.for_each_operand(|operand| {
            if !function.values.is_valid(operand) {
                missing = Some(operand.to_string());
            }
        });
        node.data.for_each_edge(|edge| {
            if !function.blocks.is_valid(edge.block) {
                missing = Some(edge.block.to_string());
            }
        });
        if let Some(missing) = missing {
            self.fail_at(1, inst, format!("{missing} does not exist"));
        }
    }

    fn variables(&mut self) {
        let function = self.function;
        let source = &self.module.source;
        for (variable, data) in function.variables.iter() {
            let scope: Scope = data.scope;
            let known = data.ty.is_none_or(|ty| source.types.is_valid(ty));
            if !source.scopes.is_valid(scope) || !known {
                self.fail(1, variable, "scope or type does not exist");
            }
        }
        for binding in &function.bindings {
            let place_exists = match binding.place {
                VariablePlace::Value(value) | VariablePlace::Memory(value) => {
                    function.values.is_valid(value)
                }
                VariablePlace::Gone => true,
            };
            if !function.variables.is_valid(binding.variable)
                || !function.insts.is_valid(binding.before)
                || !place_exists
            {
                self.fail(
                    1,
                    binding.variable,
                    "binding to something that does not exist",
                );
            }
        }
    }

    /// Blocks that can be reached from the entry.
    fn reachable(&self, entry: Block) -> Vec<Block> {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut order = Vec::new();
        let mut stack = vec![entry];
        seen[entry.index()] = true;
        while let Some(block) = stack.pop() {
            order.push(block);
            for next in self.function.successors(block) {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push(next);
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests;
