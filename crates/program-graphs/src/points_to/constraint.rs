//! Instructions as inclusion constraints over pointer-carrying values.
//!
//! Carriers are pointers, integers of at least 64 bits (pointers travel through integers)
//! and doubles (copies of unions may go through them).

use super::wrappers::allocations;
use crate::assumptions::Assumption;
use crate::externals::{Effect, LibraryArea, external_model, is_output};
use crate::location::{ObjectKind, Offset, gcd};
use crate::{Adjacency, Components};
use program_ir::{
    AtomicRmwOp, BinaryOp, CallData, Callee, CastOp, Constant, EntityRef, Func, Function, Inst,
    InstData, Linkage, Module, TernaryOp, Type, Value,
};

/// Something that has a points-to set of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Node {
    Value(Func, Value),
    /// One of the function's results.
    Result(Func, u32),
    /// Helper of one instruction.
    Temporary(Func, Inst, u32),
    /// Everything that unknown external code can get hold of.
    Unknown,
    ThreadPointer,
    /// Where `errno` is.
    ErrorNumber,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    PointsTo {
        node: Node,
        object: ObjectKind,
        offset: Offset,
    },
    /// Initial contents.
    Holds {
        holder: ObjectKind,
        at: Offset,
        object: ObjectKind,
        offset: Offset,
    },
    /// With `delta` added, then any multiple of `stride` (0: none).
    Copy {
        from: Node,
        to: Node,
        delta: i64,
        stride: u64,
    },
    Load {
        address: Node,
        to: Node,
    },
    Store {
        address: Node,
        from: Node,
    },
    /// Copies `length` bytes of memory (`None`: unknown).
    Transfer {
        to: Node,
        from: Node,
        length: Option<u64>,
    },
    CallThrough {
        target: Node,
        call: CallSite,
    },
    CallDirect {
        target: Func,
        call: CallSite,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// `None` for calls made by unknown code.
    pub at: Option<(Func, Inst)>,
    pub args: Vec<Node>,
    /// What further arguments are.
    pub other_args: Option<Node>,
    pub results: Vec<Node>,
    /// The call is made by an external on behalf of `at`.
    pub is_callback: bool,
}

pub fn carries_pointers(ty: Type) -> bool {
    match ty {
        Type::Ptr | Type::F64 => true,
        Type::Int(width) => width >= 64,
        _ => false,
    }
}

fn copy(from: Node, to: Node) -> Constraint {
    Constraint::Copy {
        from,
        to,
        delta: 0,
        stride: 0,
    }
}

/// The result points anywhere in the objects that the source points into.
fn blur(from: Node, to: Node) -> Constraint {
    Constraint::Copy {
        from,
        to,
        delta: 0,
        stride: 1,
    }
}

/// Holds whichever functions are reached: initial contents of globals, unknown code.
pub(super) fn program_constraints(
    module: &Module,
    roots: &[Func],
    assume: &mut dyn FnMut(Assumption),
) -> Vec<Constraint> {
    let mut constraints = vec![
        Constraint::Holds {
            holder: ObjectKind::Environment,
            at: Offset::ANY,
            object: ObjectKind::Environment,
            offset: Offset::ANY,
        },
        Constraint::PointsTo {
            node: Node::Unknown,
            object: ObjectKind::External,
            offset: Offset::ANY,
        },
        Constraint::PointsTo {
            node: Node::ThreadPointer,
            object: ObjectKind::ThreadBlock,
            offset: Offset::exact(0),
        },
        Constraint::PointsTo {
            node: Node::ErrorNumber,
            object: ObjectKind::Library(LibraryArea::ErrorNumber),
            offset: Offset::exact(0),
        },
        blur(Node::Unknown, Node::Unknown),
        Constraint::Load {
            address: Node::Unknown,
            to: Node::Unknown,
        },
        Constraint::Store {
            address: Node::Unknown,
            from: Node::Unknown,
        },
        Constraint::CallThrough {
            target: Node::Unknown,
            call: CallSite {
                at: None,
                args: Vec::new(),
                other_args: Some(Node::Unknown),
                results: vec![Node::Unknown],
                is_callback: true,
            },
        },
    ];
    for area in LibraryArea::ALL {
        constraints.push(Constraint::PointsTo {
            node: Node::Unknown,
            object: ObjectKind::Library(area),
            offset: Offset::ANY,
        });
    }
    for (global, data) in module.globals.iter() {
        if matches!(data.linkage, Linkage::Import) {
            constraints.push(Constraint::PointsTo {
                node: Node::Unknown,
                object: ObjectKind::Global(global),
                offset: Offset::ANY,
            });
        }
        for relocation in &data.initialiser.relocations {
            if relocation.minus.is_some() {
                assume(Assumption::NoRelativeAddressTables);
            } else if let Some((object, offset)) = constant_target(relocation.constant) {
                constraints.push(Constraint::Holds {
                    holder: ObjectKind::Global(global),
                    at: Offset::exact(relocation.offset as i64),
                    object,
                    offset,
                });
            }
        }
    }
    for &root in roots {
        for &param in module.functions[root].params() {
            if carries_pointers(module.functions[root].ty(param)) {
                constraints.push(Constraint::PointsTo {
                    node: Node::Value(root, param),
                    object: ObjectKind::Environment,
                    offset: Offset::ANY,
                });
            }
        }
    }
    constraints
}

/// What a constant points to.
pub(super) fn constant_target(constant: Constant) -> Option<(ObjectKind, Offset)> {
    match constant {
        Constant::GlobalAddress { global, offset } => {
            Some((ObjectKind::Global(global), Offset::exact(offset)))
        }
        Constant::FunctionAddress(func) => Some((ObjectKind::Function(func), Offset::ANY)),
        Constant::Bits(_) | Constant::Undef | Constant::BlockAddress { .. } => None,
    }
}

/// What the body of `func` asks for.
pub(super) fn function_constraints(
    module: &Module,
    func: Func,
    assume: &mut dyn FnMut(Assumption),
) -> Vec<Constraint> {
    let function = &module.functions[func];
    let mut translation = Translation {
        func,
        function,
        in_cycle: values_in_cycles(function),
        addresses: integers_from_addresses(function),
        constraints: Vec::new(),
        assume,
    };
    for (value, data) in function.values.iter() {
        if let program_ir::ValueDef::Constant(constant) = data.def
            && let Some((object, offset)) = constant_target(constant)
        {
            translation.constraints.push(Constraint::PointsTo {
                node: Node::Value(func, value),
                object,
                offset,
            });
        }
    }
    for (_, block) in function.blocks.iter() {
        for &inst in &block.insts {
            translation.instruction(inst);
        }
    }
    translation.constraints
}

struct Translation<'a> {
    func: Func,
    function: &'a Function,
    /// Per value: its component of the graph of pointer computations if that is a cycle.
    in_cycle: Vec<Option<u32>>,
    /// Integers that this function has computed from pointers.
    addresses: Vec<bool>,
    constraints: Vec<Constraint>,
    assume: &'a mut dyn FnMut(Assumption),
}

impl Translation<'_> {
    fn node(&self, value: Value) -> Node {
        Node::Value(self.func, value)
    }

    fn carries(&self, value: Value) -> bool {
        carries_pointers(self.function.ty(value))
    }

    fn copy(&mut self, from: Value, to: Value) {
        if self.carries(from) && self.carries(to) {
            self.constraints.push(copy(self.node(from), self.node(to)));
        }
    }

    fn blur(&mut self, from: Value, to: Value) {
        if self.carries(from) && self.carries(to) {
            self.constraints.push(blur(self.node(from), self.node(to)));
        }
    }

    fn instruction(&mut self, inst: Inst) {
        let function = self.function;
        let data = &function.insts[inst].data;
        let result = function.insts[inst].first_result;
        match (data, result) {
            (InstData::Binary { op, args, .. }, Some(result)) => self.binary(*op, *args, result),
            (
                InstData::Ternary {
                    op: TernaryOp::Select,
                    args,
                },
                Some(result),
            ) => {
                self.copy(args[1], result);
                self.copy(args[2], result);
            }
            (InstData::Cast { op, arg }, Some(result)) => {
                if matches!(
                    op,
                    CastOp::Bits
                        | CastOp::PtrToInt
                        | CastOp::IntToPtr
                        | CastOp::ZeroExtend
                        | CastOp::SignExtend
                        | CastOp::Truncate
                ) {
                    self.copy(*arg, result);
                }
            }
            (
                InstData::PtrAdd {
                    base,
                    offset,
                    terms,
                    ..
                },
                Some(result),
            ) => self.pointer_addition(*base, *offset, terms, result),
            (InstData::Alloca { .. }, Some(result)) => {
                self.points_to(result, ObjectKind::Stack(self.func, inst), Offset::exact(0));
            }
            (InstData::ThreadPointer, Some(result)) => {
                let to = self.node(result);
                self.constraints.push(copy(Node::ThreadPointer, to));
            }
            (InstData::Load { address, .. }, Some(result)) => self.load(*address, result),
            (InstData::Store { address, value, .. }, _) => self.store(*address, *value),
            (InstData::AtomicRmw { op, address, value }, Some(result)) => {
                self.load(*address, result);
                if *op == AtomicRmwOp::Exchange {
                    self.store(*address, *value);
                } else if self.carries(*value) {
                    let sum = Node::Temporary(self.func, inst, 0);
                    self.constraints.push(blur(self.node(*value), sum));
                    self.constraints.push(blur(self.node(result), sum));
                    self.constraints.push(Constraint::Store {
                        address: self.node(*address),
                        from: sum,
                    });
                }
            }
            (
                InstData::CompareExchange {
                    address,
                    replacement,
                    ..
                },
                Some(result),
            ) => {
                self.load(*address, result);
                self.store(*address, *replacement);
            }
            (
                InstData::MemCopy {
                    destination,
                    source,
                    length,
                    ..
                },
                _,
            ) => {
                let length = constant_bits(function, *length);
                self.transfer(*destination, *source, length);
            }
            (InstData::Call(call) | InstData::Invoke { call, .. }, _) => self.call(inst, call),
            (InstData::VaStart { list }, _) => self.variadic_start(inst, *list),
            (
                InstData::VaCopy {
                    destination,
                    source,
                },
                _,
            ) => self.transfer(*destination, *source, Some(24)),
            (InstData::Syscall { args }, Some(result)) => {
                let number = constant_bits(function, args[0]);
                self.system_call(inst, number, args, result);
            }
            (InstData::LandingPad, _) => {
                (self.assume)(Assumption::NoOtherUnwinding);
                for result in function.results(inst) {
                    if self.carries(result) {
                        let to = self.node(result);
                        self.constraints.push(copy(Node::Unknown, to));
                    }
                }
            }
            (InstData::Return { values }, _) => {
                for (index, &value) in values.iter().enumerate() {
                    if self.carries(value) {
                        let to = Node::Result(self.func, index as u32);
                        self.constraints.push(copy(self.node(value), to));
                    }
                }
            }
            (
                InstData::Unsupported { what, .. } | InstData::UnsupportedTerminator { what, .. },
                _,
            ) => {
                (self.assume)(Assumption::UnsupportedOperation(what.to_string()));
            }
            _ => {}
        }
        let mut passed = Vec::new();
        data.for_each_edge(|edge| {
            let params = &function.blocks[edge.block].params;
            passed.extend(edge.args.iter().copied().zip(params.iter().copied()));
        });
        for (arg, param) in passed {
            self.copy(arg, param);
        }
    }

    fn points_to(&mut self, value: Value, object: ObjectKind, offset: Offset) {
        self.constraints.push(Constraint::PointsTo {
            node: self.node(value),
            object,
            offset,
        });
    }

    fn load(&mut self, address: Value, result: Value) {
        if self.carries(result) {
            self.constraints.push(Constraint::Load {
                address: self.node(address),
                to: self.node(result),
            });
        }
    }

    fn store(&mut self, address: Value, value: Value) {
        if self.carries(value) {
            self.constraints.push(Constraint::Store {
                address: self.node(address),
                from: self.node(value),
            });
        }
    }

    fn transfer(&mut self, to: Value, from: Value, length: Option<u64>) {
        // Fewer bytes than a pointer has carry none.
        if length.is_none_or(|length| length >= 8) {
            self.constraints.push(Constraint::Transfer {
                to: self.node(to),
                from: self.node(from),
                length,
            });
        }
    }

    fn binary(&mut self, op: BinaryOp, args: [Value; 2], result: Value) {
        use BinaryOp::{AShr, Add, And, LShr, Or, SMax, SMin, Shl, Sub, UMax, UMin, Xor};
        let [left, right] = args;
        let constant = |value| signed_constant(self.function, value);
        match (op, constant(left), constant(right)) {
            (Add, _, Some(delta)) => self.shift(left, delta, result),
            (Add, Some(delta), _) => self.shift(right, delta, result),
            (Sub, _, Some(delta)) => self.shift(left, delta.wrapping_neg(), result),
            // Tags put into and taken out of the low bits.
            (And | Or | Xor, _, Some(_)) => self.blur(left, result),
            (And | Or | Xor, Some(_), _) => self.blur(right, result),
            (Sub, ..) if self.is_address(left) && self.is_address(right) => {}
            (Add | Sub | And | Or | Xor | Shl | LShr | AShr | UMin | UMax | SMin | SMax, ..) => {
                for arg in args {
                    if self.is_address(arg) {
                        self.blur(arg, result);
                    }
                }
            }
            _ => {}
        }
    }

    fn shift(&mut self, from: Value, delta: i64, to: Value) {
        if self.carries(from) && self.carries(to) {
            let stride = if self.same_cycle(from, to) {
                delta.unsigned_abs()
            } else {
                0
            };
            self.constraints.push(Constraint::Copy {
                from: self.node(from),
                to: self.node(to),
                delta,
                stride,
            });
        }
    }

    fn is_address(&self, value: Value) -> bool {
        self.addresses[value.index()]
    }

    fn same_cycle(&self, left: Value, right: Value) -> bool {
        let component = self.in_cycle[left.index()];
        component.is_some() && component == self.in_cycle[right.index()]
    }

    fn pointer_addition(
        &mut self,
        base: Value,
        offset: i64,
        terms: &[program_ir::PtrTerm],
        result: Value,
    ) {
        let mut delta = offset;
        let mut stride = 0;
        for term in terms {
            match signed_constant(self.function, term.index) {
                Some(index) => delta = delta.wrapping_add(index.wrapping_mul(term.scale)),
                None => stride = gcd(stride, term.scale.unsigned_abs()),
            }
        }
        if self.same_cycle(base, result) {
            stride = gcd(stride, delta.unsigned_abs());
        }
        self.constraints.push(Constraint::Copy {
            from: self.node(base),
            to: self.node(result),
            delta,
            stride,
        });
        // An address kept in an integer and added to null.
        if matches!(self.function.constant(base), Some(Constant::Bits(_))) {
            for term in terms {
                self.blur(term.index, result);
            }
        }
    }

    fn variadic_start(&mut self, inst: Inst, list: Value) {
        let area = Node::Temporary(self.func, inst, 0);
        self.constraints.push(Constraint::PointsTo {
            node: area,
            object: ObjectKind::VariadicArguments(self.func),
            offset: Offset::ANY,
        });
        // The x86-64 list keeps its two areas at 8 and 16; its start is for other layouts.
        for (slot, delta) in [(1, 0), (2, 8), (3, 16)] {
            let field = Node::Temporary(self.func, inst, slot);
            self.constraints.push(Constraint::Copy {
                from: self.node(list),
                to: field,
                delta,
                stride: 0,
            });
            self.constraints.push(Constraint::Store {
                address: field,
                from: area,
            });
        }
    }

    fn system_call(&mut self, inst: Inst, number: Option<u64>, args: &[Value; 7], to: Value) {
        use program_ir::syscall_table::number as call;
        (self.assume)(Assumption::KernelStoresNoPointers);
        if matches!(number, None | Some(call::mmap | call::brk | call::mremap)) {
            self.points_to(to, ObjectKind::Heap(self.func, inst), Offset::ANY);
        }
        if matches!(number, None | Some(call::mremap)) {
            self.blur(args[1], to);
        }
        if matches!(number, None | Some(call::arch_prctl)) {
            let base = self.node(args[2]);
            self.constraints.push(copy(base, Node::ThreadPointer));
        }
    }

    fn call(&mut self, inst: Inst, call: &CallData) {
        let mut args: Vec<Node> = call.args.iter().map(|&arg| self.node(arg)).collect();
        for by_value in &call.by_val {
            let passed = Node::Temporary(self.func, inst, by_value.arg);
            self.constraints.push(Constraint::PointsTo {
                node: passed,
                object: ObjectKind::ByValueCopy(self.func, inst, by_value.arg),
                offset: Offset::exact(0),
            });
            self.constraints.push(Constraint::Transfer {
                to: passed,
                from: args[by_value.arg as usize],
                length: Some(by_value.size),
            });
            args[by_value.arg as usize] = passed;
        }
        let results = self
            .function
            .results(inst)
            .map(|value| self.node(value))
            .collect();
        let site = CallSite {
            at: Some((self.func, inst)),
            args,
            other_args: None,
            results,
            is_callback: false,
        };
        self.constraints.push(match call.callee {
            Callee::Direct(target) => Constraint::CallDirect { target, call: site },
            Callee::Indirect(target) => Constraint::CallThrough {
                target: self.node(target),
                call: site,
            },
        });
    }
}

/// Whether a call through a pointer can mean this function.
pub(super) fn accepts(target: &Function, call: &CallSite) -> bool {
    if target.linkage == Linkage::WeakImport {
        return false;
    }
    target.signature.params.len() <= call.args.len() || call.other_args.is_some()
}

/// What it means that `call` calls `target`.
pub(super) fn call_constraints(
    module: &Module,
    call: &CallSite,
    target: Func,
    assume: &mut dyn FnMut(Assumption),
) -> Vec<Constraint> {
    let function = &module.functions[target];
    if function.linkage == Linkage::WeakImport {
        // Its address is null, so nothing is called.
        return Vec::new();
    }
    if function.is_declaration() {
        return external_constraints(module, call, target, assume);
    }
    let mut constraints = Vec::new();
    let params = function.params();
    for (index, &param) in params.iter().enumerate() {
        if let Some(&arg) = call.args.get(index).or(call.other_args.as_ref())
            && carries_pointers(function.ty(param))
        {
            constraints.push(copy(arg, Node::Value(target, param)));
        }
    }
    if function.signature.variadic
        && let Some((caller, inst)) = call.at
    {
        let area = Node::Temporary(caller, inst, u32::MAX - target.as_u32());
        constraints.push(Constraint::PointsTo {
            node: area,
            object: ObjectKind::VariadicArguments(target),
            offset: Offset::ANY,
        });
        let extra = call.args.iter().skip(params.len());
        for &arg in extra.chain(call.other_args.as_ref()) {
            constraints.push(Constraint::Store {
                address: area,
                from: arg,
            });
        }
    }
    if let (Some((caller, inst)), [result]) = (call.at, &call.results[..])
        && !call.is_callback
    {
        let made = allocations(module, target);
        let inside = made.iter().flat_map(|&(func, inst)| {
            let results = module.functions[func].results(inst);
            results.map(move |value| Node::Value(func, value))
        });
        let nodes: Vec<Node> = inside.chain([*result]).collect();
        if !made.is_empty() {
            constraints.extend(nodes.into_iter().map(|node| Constraint::PointsTo {
                node,
                object: ObjectKind::Heap(caller, inst),
                offset: Offset::exact(0),
            }));
            return constraints;
        }
    }
    for (index, &result) in call.results.iter().enumerate() {
        constraints.push(copy(Node::Result(target, index as u32), result));
    }
    constraints
}

fn external_constraints(
    module: &Module,
    call: &CallSite,
    target: Func,
    assume: &mut dyn FnMut(Assumption),
) -> Vec<Constraint> {
    let name = &module.functions[target].name;
    let mut constraints = Vec::new();
    let Some(model) = external_model(name) else {
        assume(Assumption::UnknownExternal(name.clone()));
        for &arg in call.args.iter().chain(call.other_args.as_ref()) {
            constraints.push(copy(arg, Node::Unknown));
        }
        for &result in &call.results {
            constraints.push(copy(Node::Unknown, result));
        }
        return constraints;
    };
    assume(Assumption::ModelledExternal(name.clone()));
    if is_output(name) {
        assume(Assumption::OutputSucceeds);
    }
    let arg = |index: u32| {
        let own = call.args.get(index as usize);
        own.or(call.other_args.as_ref()).copied()
    };
    let result = call.results.first().copied();
    for &effect in model.effects {
        match effect {
            Effect::Allocates | Effect::SystemCall => {
                if let (Some((func, inst)), Some(result)) = (call.at, result) {
                    constraints.push(Constraint::PointsTo {
                        node: result,
                        object: ObjectKind::Heap(func, inst),
                        offset: match effect {
                            Effect::Allocates => Offset::exact(0),
                            _ => Offset::ANY,
                        },
                    });
                }
                // mremap returns what it was given; arch_prctl sets the thread pointer.
                if let (Effect::SystemCall, Some(moved), Some(result)) = (effect, arg(1), result) {
                    constraints.push(blur(moved, result));
                }
                if let (Effect::SystemCall, Some(base)) = (effect, arg(2)) {
                    constraints.push(copy(base, Node::ThreadPointer));
                }
            }
            Effect::AllocatesInto(through) => {
                if let (Some((func, inst)), Some(through)) = (call.at, arg(through)) {
                    let fresh = Node::Temporary(func, inst, 0);
                    constraints.push(Constraint::PointsTo {
                        node: fresh,
                        object: ObjectKind::Heap(func, inst),
                        offset: Offset::exact(0),
                    });
                    constraints.push(Constraint::Store {
                        address: through,
                        from: fresh,
                    });
                }
            }
            Effect::ReturnsInto(index) => {
                if let (Some(arg), Some(result)) = (arg(index), result) {
                    let exact = matches!(name.as_str(), "memcpy" | "memmove" | "memset");
                    constraints.push(if exact {
                        copy(arg, result)
                    } else {
                        blur(arg, result)
                    });
                }
            }
            Effect::StoresPointer { through, into } => {
                if let (Some((func, inst)), Some(through), Some(into)) =
                    (call.at, arg(through), arg(into))
                {
                    let pointer = Node::Temporary(func, inst, 0);
                    constraints.push(blur(into, pointer));
                    constraints.push(Constraint::Store {
                        address: through,
                        from: pointer,
                    });
                }
            }
            Effect::Copies { to, from, .. } | Effect::CopiesString { to, from } => {
                if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                    constraints.push(Constraint::Transfer {
                        to,
                        from,
                        length: None,
                    });
                }
            }
            Effect::CopiesIntoResult(from) => {
                if let (Some(to), Some(from)) = (result, arg(from)) {
                    constraints.push(Constraint::Transfer {
                        to,
                        from,
                        length: None,
                    });
                }
            }
            Effect::CallsBack { function, with } => {
                if let (Some((func, inst)), Some(target)) = (call.at, arg(function)) {
                    let passed = Node::Temporary(func, inst, 1);
                    for index in with {
                        if let Some(arg) = arg(index) {
                            constraints.push(blur(arg, passed));
                        }
                    }
                    constraints.push(Constraint::CallThrough {
                        target,
                        call: CallSite {
                            at: call.at,
                            args: Vec::new(),
                            other_args: Some(passed),
                            results: Vec::new(),
                            is_callback: true,
                        },
                    });
                }
            }
            Effect::SetsThreadPointer(index) => {
                if let Some(arg) = arg(index) {
                    constraints.push(copy(arg, Node::ThreadPointer));
                }
            }
            Effect::ReturnsThreadPointer => {
                if let Some(result) = result {
                    constraints.push(copy(Node::ThreadPointer, result));
                }
            }
            Effect::ReturnsErrno => {
                if let Some(result) = result {
                    constraints.push(copy(Node::ErrorNumber, result));
                }
            }
            Effect::PlacesErrno(index) => {
                if let Some(arg) = arg(index) {
                    constraints.push(copy(arg, Node::ErrorNumber));
                }
            }
            Effect::ReturnsArea(area) => {
                if let Some(result) = result {
                    constraints.push(Constraint::PointsTo {
                        node: result,
                        object: ObjectKind::Library(area),
                        offset: Offset::ANY,
                    });
                }
            }
            Effect::ReturnsVariable => {
                if let Some(result) = result {
                    constraints.push(Constraint::PointsTo {
                        node: result,
                        object: ObjectKind::Environment,
                        offset: Offset::ANY,
                    });
                }
            }
            Effect::ReturnsStatic => {
                let variables = module.globals.iter().filter(|(_, data)| !data.constant);
                for (global, node) in variables.filter_map(|(global, _)| Some((global, result?))) {
                    constraints.push(Constraint::PointsTo {
                        node,
                        object: ObjectKind::Global(global),
                        offset: Offset::exact(0),
                    });
                }
            }
            Effect::RemembersAndReturns(index) => {
                if let (Some((func, inst)), Some(arg)) = (call.at, arg(index)) {
                    let area = Node::Temporary(func, inst, 0);
                    let remembered = Node::Temporary(func, inst, 1);
                    constraints.push(Constraint::PointsTo {
                        node: area,
                        object: ObjectKind::Library(LibraryArea::Token),
                        offset: Offset::ANY,
                    });
                    constraints.push(blur(arg, remembered));
                    constraints.push(Constraint::Store {
                        address: area,
                        from: remembered,
                    });
                    if let Some(result) = result {
                        constraints.push(Constraint::Load {
                            address: area,
                            to: result,
                        });
                    }
                }
            }
            Effect::Reads(_)
            | Effect::Writes(_)
            | Effect::ReadsFrom(_)
            | Effect::WritesFrom(_)
            | Effect::ReadsDeep(_)
            | Effect::WritesDeep(_)
            | Effect::Formats(_)
            | Effect::TouchesWorld
            | Effect::ReadsWorld
            | Effect::WritesStream(_)
            | Effect::WritesNamedStream(_)
            | Effect::ReadsStream(_)
            | Effect::ReadsNamedStream(_)
            | Effect::ReadsArea(_)
            | Effect::WritesArea(_)
            | Effect::SetsErrno
            | Effect::JumpsBack => {}
        }
    }
    constraints
}

pub(crate) fn constant_bits(function: &Function, value: Value) -> Option<u64> {
    match function.constant(value) {
        Some(Constant::Bits(bits)) => u64::try_from(bits).ok(),
        _ => None,
    }
}

/// A 64-bit constant, as a signed number.
fn signed_constant(function: &Function, value: Value) -> Option<i64> {
    match function.constant(value) {
        Some(Constant::Bits(bits)) => Some(bits as u64 as i64),
        _ => None,
    }
}

/// Which values this function computes from the integer form of a pointer.
fn integers_from_addresses(function: &Function) -> Vec<bool> {
    let mut sources = Vec::new();
    for (inst, node) in function.insts.iter() {
        if let InstData::Cast {
            op: CastOp::PtrToInt,
            ..
        } = node.data
        {
            sources.extend(function.results(inst).map(|value| value.as_u32()));
        }
    }
    for (value, data) in function.values.iter() {
        if let program_ir::ValueDef::Constant(constant) = data.def
            && constant_target(constant).is_some()
        {
            sources.push(value.as_u32());
        }
    }
    value_graph(function).reachable_from(sources)
}

/// Which values take part in a cycle of pointer computations, as `p` in `p = p + 16`.
fn values_in_cycles(function: &Function) -> Vec<Option<u32>> {
    let components = Components::of(&value_graph(function));
    components
        .component_of
        .iter()
        .map(|&component| (components.members[component as usize].len() > 1).then_some(component))
        .collect()
}

/// Edges from operands to what arithmetic, casts, selections and block parameters make of
/// them.
fn value_graph(function: &Function) -> Adjacency {
    let mut edges = Vec::new();
    for (inst, node) in function.insts.iter() {
        let result = function.results(inst).next();
        match (&node.data, result) {
            (InstData::PtrAdd { base, .. }, Some(result)) => {
                edges.push((base.as_u32(), result.as_u32()));
            }
            (InstData::Cast { arg, .. }, Some(result)) => {
                edges.push((arg.as_u32(), result.as_u32()));
            }
            (InstData::Binary { args, .. }, Some(result)) => {
                edges.extend(args.iter().map(|arg| (arg.as_u32(), result.as_u32())));
            }
            (InstData::Ternary { args, .. }, Some(result)) => {
                edges.extend(args.iter().map(|arg| (arg.as_u32(), result.as_u32())));
            }
            _ => {}
        }
        node.data.for_each_edge(|edge| {
            let params = &function.blocks[edge.block].params;
            for (arg, param) in edge.args.iter().zip(params) {
                edges.push((arg.as_u32(), param.as_u32()));
            }
        });
    }
    Adjacency::from_edges(function.values.len(), &edges)
}
