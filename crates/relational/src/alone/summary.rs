//! What a function without loops computes, as one term for each result and each byte of memory that it may write.
//!
//! A function is taken through its blocks in topological order. Where ways meet, their values are joined by what decides
//! between them, so the cost grows with the size of the function and not with its paths. Calls are taken in place.
//!
//! Arguments and the first contents of globals are given. If they are symbols, a summary speaks of every call in every state. It is
//! not given (`None`) where that would not be all: for loops, calls of what has no body or through pointers, accesses through pointers that come from outside or
//! that are not to a constant place or an element of a small array, floating point, reading what was never written, and
//! whatever else the machine takes as an end of the program. A division may fail: how is a
//! part of the summary. An element of an array must be there.

use concolic_vm::symbolic::integers;
use expr::{ExprId, Op, Store, Symbol};
use program_ir::{
    BinaryOp, Block, BlockCall, Callee, CastOp, Constant, Func, Function, Global, Inst, InstData,
    Module, Type, UnaryOp, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions and calls within calls, at most.
const MOST_INSTRUCTIONS: usize = 5_000;
const DEEPEST: usize = 12;
/// Bytes of stack, at most.
const MOST_STACK: u64 = 16 << 10;
/// Elements of an array that one is chosen of, at most.
const MOST_ELEMENTS: i64 = 64;

/// A global, by a number that it has in both versions, or an object on the stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Object {
    Global(usize),
    Local(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Computed {
    Term(ExprId),
    /// A place in an object.
    Place(Object, i64),
    /// A place in an object, and so many bytes behind it as the term says times the number.
    Element(Object, i64, ExprId, i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Term(ExprId),
    /// One of the eight of a pointer.
    OfPlace(Object, i64, u32),
}

#[derive(Clone, Debug)]
struct State {
    /// Memory.
    bytes: BTreeMap<(Object, i64), Byte>,
    /// The number of the [`Failure`] that came first, or 0. Behind one, nothing counts.
    failed: ExprId,
    /// That an element of a global was read that is not there. Natively the call may go on, or end, or read anything: nothing is
    /// said of such calls.
    outside: ExprId,
}

/// What ends a call and the program with it.
#[derive(Clone, Copy, Debug)]
enum Failure {
    DivisionByZero = 1,
    /// A signed division whose result does not fit.
    DivisionOverflow = 2,
}

/// By the number of a global and a place in it. Nothing if that is not known.
pub(super) type FirstByte<'s> = dyn Fn(&mut Store, usize, u32) -> Option<ExprId> + 's;

/// A version as it is summarised.
pub(super) struct Side<'c> {
    pub(super) module: &'c Module,
    /// The number of each global that is in both versions.
    pub(super) globals: FxHashMap<Global, usize>,
}

/// A way into a block, or out of a function.
struct Way {
    condition: ExprId,
    values: Vec<Computed>,
    state: State,
}

pub(super) struct Summariser<'s> {
    store: &'s mut Store,
    sides: &'s [Side<'s>; 2],
    /// By the numbers of globals.
    sizes: &'s FxHashMap<usize, GlobalSize>,
    /// What is in a byte of a global at first.
    first_byte: &'s FirstByte<'s>,
    /// Functions of the new version for which the function of the old version is called instead. Sound where that makes no difference; see `differs`.
    assumed: Option<&'s FxHashMap<Func, Func>>,
    /// The condition under which such a call makes a difference.
    differs: ExprId,
    objects: Vec<u64>,
    stack: u64,
    instructions: usize,
}

/// How large a global is, and whether it can be written; the same in both versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GlobalSize {
    pub(super) bytes: u64,
    pub(super) constant: bool,
}

impl<'s> Summariser<'s> {
    pub(super) fn new(
        store: &'s mut Store,
        sides: &'s [Side<'s>; 2],
        sizes: &'s FxHashMap<usize, GlobalSize>,
        first_byte: &'s FirstByte<'s>,
        assumed: Option<&'s FxHashMap<Func, Func>>,
    ) -> Summariser<'s> {
        let differs = store.truth(false);
        Summariser {
            store,
            sides,
            sizes,
            first_byte,
            assumed,
            differs,
            objects: Vec::new(),
            stack: 0,
            instructions: 0,
        }
    }

    /// That a call of the old function and one of the new function differ in what can be seen afterwards.
    pub(super) fn difference(
        &mut self,
        functions: [Func; 2],
        arguments: &[ExprId],
    ) -> Option<ExprId> {
        let arguments: Vec<Computed> = arguments.iter().map(|&term| Computed::Term(term)).collect();
        let mut ways = Vec::with_capacity(2);
        for (version, func) in functions.into_iter().enumerate() {
            let function = &self.sides[version].module.functions[func];
            if function.params().len() != arguments.len() {
                return None;
            }
            let state = State {
                bytes: BTreeMap::new(),
                failed: self.store.constant(0, 8),
                outside: self.store.truth(false),
            };
            (self.stack, self.instructions) = (0, 0);
            ways.push(self.call(version, func, &arguments, state, 0)?);
        }
        let differs = self.unlike(&ways[0], &ways[1], 0)?;
        Some(self.store.or(self.differs, differs))
    }

    /// A call: what it returns, and the state it leaves. Its condition is the truth.
    fn call(
        &mut self,
        version: usize,
        func: Func,
        arguments: &[Computed],
        state: State,
        depth: usize,
    ) -> Option<Way> {
        let function = &self.sides[version].module.functions[func];
        if depth > DEEPEST || function.is_declaration() || function.signature.variadic {
            return None;
        }
        let entry = function.entry()?;
        let params = function.params().iter();
        let fits = |(param, argument): (&Value, &Computed)| match argument {
            Computed::Term(term) => self.store.width(*term) == function.ty(*param).bits(),
            Computed::Place(..) | Computed::Element(..) => function.ty(*param) == Type::Ptr,
        };
        if !params.zip(arguments).all(fits) {
            return None;
        }
        let order = in_topological_order(function, entry)?;
        let variables = self.objects.len();
        let mut values: FxHashMap<Value, Computed> = FxHashMap::default();
        let mut ways: FxHashMap<Block, Vec<Way>> = FxHashMap::default();
        let first = Way {
            condition: self.store.truth(true),
            values: arguments.to_vec(),
            state,
        };
        ways.insert(entry, vec![first]);
        let mut returns = Vec::new();
        for block in order {
            let Some(into) = ways.remove(&block) else {
                continue;
            };
            let Way {
                condition,
                values: params,
                mut state,
            } = self.joined(into)?;
            let data = &function.blocks[block];
            if data.params.len() != params.len() {
                return None;
            }
            values.extend(data.params.iter().copied().zip(params));
            for &inst in &data.insts {
                self.instructions += 1;
                if self.instructions > MOST_INSTRUCTIONS {
                    return None;
                }
                let mut frame = Frame {
                    version,
                    function,
                    values: &mut values,
                    depth,
                };
                match &function.insts[inst].data {
                    InstData::Return { values: returned } => {
                        let returned = returned.iter();
                        let values: Option<Vec<Computed>> =
                            returned.map(|value| self.value(&frame, *value)).collect();
                        returns.push(Way {
                            condition,
                            values: values?,
                            state: state.clone(),
                        });
                    }
                    terminator if terminator.is_terminator() => {
                        for (edge, taken) in self.edges(&frame, terminator)? {
                            let condition = self.store.and(condition, taken);
                            if self.store.is_false(condition) {
                                continue;
                            }
                            let args = edge.args.iter();
                            let args: Option<Vec<Computed>> =
                                args.map(|value| self.value(&frame, *value)).collect();
                            ways.entry(edge.block).or_default().push(Way {
                                condition,
                                values: args?,
                                state: state.clone(),
                            });
                        }
                    }
                    _ => self.execute(&mut frame, inst, &mut state)?,
                }
            }
        }
        // Its variables are gone: nothing can be accessed in them.
        self.objects[variables..].fill(0);
        self.joined(returns)
    }

    /// That two ways out of a call differ, as far as it can be seen: in what is returned, in globals and in so many variables.
    fn unlike(&mut self, one: &Way, other: &Way, variables: usize) -> Option<ExprId> {
        if one.values.len() != other.values.len() {
            return None;
        }
        let mut differs = self.store.truth(false);
        for (one, other) in one.values.iter().zip(&other.values) {
            match (*one, *other) {
                (one, other) if one == other => {}
                (Computed::Term(one), Computed::Term(other)) => {
                    let unlike = self.store.ne(one, other);
                    differs = self.store.or(differs, unlike);
                }
                _ => return None,
            }
        }
        let places = one.state.bytes.keys().chain(other.state.bytes.keys());
        let is_seen = |(object, _): &&(Object, i64)| match object {
            Object::Global(_) => true,
            Object::Local(number) => *number < variables,
        };
        let places: BTreeSet<(Object, i64)> = places.filter(is_seen).copied().collect();
        for place in places {
            match (self.byte(&one.state, place), self.byte(&other.state, place)) {
                (Some(one), Some(other)) if one == other => {}
                (Some(Byte::Term(one)), Some(Byte::Term(other))) => {
                    let unlike = self.store.ne(one, other);
                    differs = self.store.or(differs, unlike);
                }
                _ => return None,
            }
        }
        let none = self.store.constant(0, 8);
        let returns = self.store.eq(one.state.failed, none);
        // A division that fails ends the run, with whatever was computed.
        let mut differs = self.store.and(returns, differs);
        let unlike = self.store.ne(one.state.failed, other.state.failed);
        for differing in [unlike, one.state.outside, other.state.outside] {
            differs = self.store.or(differs, differing);
        }
        Some(differs)
    }

    /// Where ways meet. Their conditions exclude each other.
    fn joined(&mut self, mut ways: Vec<Way>) -> Option<Way> {
        let mut all = ways.pop()?;
        for way in ways {
            if way.values.len() != all.values.len() {
                return None;
            }
            for (value, other) in all.values.iter_mut().zip(&way.values) {
                *value = match (*other, *value) {
                    (one, other) if one == other => one,
                    (Computed::Term(one), Computed::Term(other)) => {
                        Computed::Term(self.store.ite(way.condition, one, other))
                    }
                    _ => return None,
                };
            }
            all.state = self.joined_states(way.condition, way.state, all.state)?;
            all.condition = self.store.or(way.condition, all.condition);
        }
        Some(all)
    }

    fn joined_states(&mut self, condition: ExprId, one: State, other: State) -> Option<State> {
        let mut bytes = BTreeMap::new();
        let places = one.bytes.keys().chain(other.bytes.keys());
        for &place in places {
            if bytes.contains_key(&place) {
                continue;
            }
            // What only one way has written, and what differs in kind, cannot be read any more.
            let both = (self.byte(&one, place), self.byte(&other, place));
            let byte = match both {
                (Some(one), Some(other)) if one == other => one,
                (Some(Byte::Term(one)), Some(Byte::Term(other))) => {
                    Byte::Term(self.store.ite(condition, one, other))
                }
                (_, _) if matches!(place.0, Object::Local(_)) => continue,
                _ => return None,
            };
            bytes.insert(place, byte);
        }
        let failed = self.store.ite(condition, one.failed, other.failed);
        let outside = self.store.ite(condition, one.outside, other.outside);
        Some(State {
            bytes,
            failed,
            outside,
        })
    }

    /// What is at a place; nothing if that was never written.
    fn byte(&mut self, state: &State, place: (Object, i64)) -> Option<Byte> {
        match (state.bytes.get(&place), place) {
            (Some(byte), _) => Some(*byte),
            (None, (Object::Global(number), offset)) => {
                let offset = u32::try_from(offset).ok()?;
                (self.first_byte)(self.store, number, offset).map(Byte::Term)
            }
            (None, (Object::Local(_), _)) => None,
        }
    }

    fn execute(&mut self, frame: &mut Frame<'_, '_>, inst: Inst, state: &mut State) -> Option<()> {
        let function = frame.function;
        let types: Vec<Type> = function
            .results(inst)
            .map(|value| function.ty(value))
            .collect();
        let computed: Vec<Computed> = match &function.insts[inst].data {
            InstData::Unary { op, arg } if function.ty(*arg).is_int_like() && is_total(*op) => {
                let arg = self.term(frame, *arg)?;
                vec![Computed::Term(integers::unary(self.store, *op, arg))]
            }
            InstData::Binary { op, args, .. } if !op.is_float() => {
                let [a, b] = self.terms(frame, *args)?;
                let width = self.store.width(a);
                if is_division(*op) {
                    // Wider ones are calls of a function that does not fail.
                    if width > 64 {
                        return None;
                    }
                    let zero = self.store.constant(0, width);
                    let by_zero = self.store.eq(b, zero);
                    self.fail_if(state, by_zero, Failure::DivisionByZero);
                }
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let overflows = integers::division_overflows(self.store, width, a, b);
                    self.fail_if(state, overflows, Failure::DivisionOverflow);
                }
                vec![Computed::Term(integers::binary(
                    self.store, *op, width, a, b,
                ))]
            }
            InstData::Ternary { op, args } if types[..].iter().all(|ty| ty.is_int_like()) => {
                let [a, b, c] = *args;
                let [a, b, c] = [
                    self.term(frame, a)?,
                    self.term(frame, b)?,
                    self.term(frame, c)?,
                ];
                let width = self.store.width(b);
                let term = integers::ternary(self.store, *op, width, [a, b, c]);
                vec![Computed::Term(term)]
            }
            InstData::Overflow { op, args } => {
                let [a, b] = self.terms(frame, *args)?;
                let (value, wrapped) = integers::overflow(self.store, *op, a, b);
                vec![Computed::Term(value), Computed::Term(wrapped)]
            }
            InstData::IntCompare { predicate, args } => {
                let [a, b] = self.terms(frame, *args)?;
                let term = integers::compare(self.store, *predicate, a, b);
                vec![Computed::Term(term)]
            }
            InstData::Cast { op, arg } => {
                let arg = self.term(frame, *arg)?;
                let width = types.first()?.bits();
                let term = match op {
                    CastOp::Truncate => self.store.trunc(arg, width),
                    CastOp::ZeroExtend => self.store.zext(arg, width),
                    CastOp::SignExtend => self.store.sext(arg, width),
                    CastOp::PtrToInt | CastOp::IntToPtr => arg,
                    _ => return None,
                };
                vec![Computed::Term(term)]
            }
            InstData::PtrAdd {
                base,
                offset,
                terms,
                ..
            } => {
                let Computed::Place(object, at) = self.value(frame, *base)? else {
                    return None;
                };
                let mut place = at.checked_add(*offset)?;
                let mut varying = None;
                for term in terms {
                    let index = self.term(frame, term.index)?;
                    match self.store.constant_value(index) {
                        Some(index) => {
                            let bytes = (index as i64).checked_mul(term.scale)?;
                            place = place.checked_add(bytes)?;
                        }
                        None if varying.is_none() && self.is_small(index) => {
                            varying = Some((index, term.scale));
                        }
                        None => return None,
                    }
                }
                vec![match varying {
                    None => Computed::Place(object, place),
                    Some((index, scale)) => Computed::Element(object, place, index, scale),
                }]
            }
            InstData::Alloca {
                count,
                element_size,
                ..
            } => {
                let count = self.term(frame, *count)?;
                let count = self.store.constant_value(count)?;
                let size = u64::try_from(count).ok()?.checked_mul(*element_size)?;
                self.stack = self.stack.checked_add(size)?;
                if self.stack > MOST_STACK {
                    return None;
                }
                self.objects.push(size);
                vec![Computed::Place(Object::Local(self.objects.len() - 1), 0)]
            }
            InstData::Load {
                address, volatile, ..
            } => {
                let place = self.value(frame, *address)?;
                let ty = *types.first()?;
                if *volatile {
                    return None;
                }
                vec![match place {
                    Computed::Element(object, at, index, scale) => {
                        self.load_element(state, object, at, index, scale, ty)?
                    }
                    place => self.load(state, place, ty)?,
                }]
            }
            InstData::Store {
                address,
                value,
                volatile,
                ..
            } => {
                let place = self.value(frame, *address)?;
                let value = self.value(frame, *value)?;
                if *volatile {
                    return None;
                }
                self.write(state, place, value)?;
                Vec::new()
            }
            InstData::Call(call) => {
                let Callee::Direct(callee) = call.callee else {
                    return None;
                };
                let module = self.sides[frame.version].module;
                let params = &module.functions[callee].signature.params;
                if !call.by_val.is_empty() || params.len() != call.args.len() {
                    return None;
                }
                let args = call.args.iter();
                let args: Vec<Computed> = args
                    .map(|value| self.value(frame, *value))
                    .collect::<Option<_>>()?;
                let before = state.clone();
                let depth = frame.depth + 1;
                let assumed = self.assumed.filter(|_| frame.version == 1);
                let way = match assumed.and_then(|assumed| assumed.get(&callee)) {
                    None => self.call(frame.version, callee, &args, before, depth)?,
                    Some(&old) => {
                        let variables = self.objects.len();
                        let as_before = self.call(0, old, &args, before.clone(), depth)?;
                        let now = self.call(1, callee, &args, before, depth)?;
                        let other = self.unlike(&as_before, &now, variables)?;
                        self.differs = self.store.or(self.differs, other);
                        as_before
                    }
                };
                *state = way.state;
                way.values
            }
            _ => return None,
        };
        // A result that nobody uses may have been left out.
        let fits = |(value, ty): (&Computed, &Type)| match value {
            Computed::Term(term) => self.store.width(*term) == ty.bits() && ty.is_int_like(),
            Computed::Place(..) | Computed::Element(..) => *ty == Type::Ptr,
        };
        if computed.len() < types.len() || !computed.iter().zip(&types).all(fits) {
            return None;
        }
        frame.values.extend(function.results(inst).zip(computed));
        Some(())
    }

    /// The edges of a terminator, each with what is true if it is taken.
    fn edges<'f>(
        &mut self,
        frame: &Frame<'_, '_>,
        terminator: &'f InstData,
    ) -> Option<Vec<(&'f BlockCall, ExprId)>> {
        match terminator {
            InstData::Jump(target) => Some(vec![(target, self.store.truth(true))]),
            InstData::Branch {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.term(frame, *condition)?;
                let fails = self.store.not(holds);
                Some(vec![(then, holds), (otherwise, fails)])
            }
            InstData::Switch {
                arg,
                cases,
                default,
            } => {
                let arg = self.term(frame, *arg)?;
                let width = self.store.width(arg);
                let mut edges = Vec::new();
                let mut none = self.store.truth(true);
                for (value, edge) in cases {
                    let value = self.store.constant(*value, width);
                    let is_case = self.store.eq(arg, value);
                    let is_other = self.store.not(is_case);
                    none = self.store.and(none, is_other);
                    edges.push((edge, is_case));
                }
                edges.push((default, none));
                Some(edges)
            }
            _ => None,
        }
    }

    fn value(&mut self, frame: &Frame<'_, '_>, value: Value) -> Option<Computed> {
        let data = &frame.function.values[value];
        match data.def {
            ValueDef::Constant(Constant::Bits(bits)) if data.ty.is_int_like() => {
                Some(Computed::Term(self.store.constant(bits, data.ty.bits())))
            }
            ValueDef::Constant(Constant::GlobalAddress { global, offset }) => {
                let number = *self.sides[frame.version].globals.get(&global)?;
                Some(Computed::Place(Object::Global(number), offset))
            }
            ValueDef::Constant(_) => None,
            _ => frame.values.get(&value).copied(),
        }
    }

    fn term(&mut self, frame: &Frame<'_, '_>, value: Value) -> Option<ExprId> {
        match self.value(frame, value)? {
            Computed::Term(term) => Some(term),
            Computed::Place(..) | Computed::Element(..) => None,
        }
    }

    fn terms(&mut self, frame: &Frame<'_, '_>, [a, b]: [Value; 2]) -> Option<[ExprId; 2]> {
        Some([self.term(frame, a)?, self.term(frame, b)?])
    }

    fn fail_if(&mut self, state: &mut State, condition: ExprId, failure: Failure) {
        let none = self.store.constant(0, 8);
        let is_first = self.store.eq(state.failed, none);
        let fails = self.store.and(is_first, condition);
        let number = self.store.constant(failure as u128, 8);
        state.failed = self.store.ite(fails, number, state.failed);
    }

    /// Whether a number of 64 bits is surely so small that sizes times it do not wrap.
    fn is_small(&self, index: ExprId) -> bool {
        let node = self.store.node(index);
        let is_extended = node.op() == Op::SExt && self.store.width(node.arg(0)) <= 32;
        let facts = self.store.facts(index);
        is_extended || facts.is_some_and(|facts| facts.high <= u64::from(u32::MAX))
    }

    /// The object of a place where so many bytes can be accessed.
    fn accessed(&self, place: Computed, bytes: u32) -> Option<(Object, i64)> {
        let Computed::Place(object, offset) = place else {
            return None;
        };
        let size = self.size(object)?;
        let start = u64::try_from(offset).ok()?;
        (start.checked_add(u64::from(bytes))? <= size).then_some((object, offset))
    }

    fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Local(number) => self.objects.get(number).copied(),
            Object::Global(number) => Some(self.sizes.get(&number)?.bytes),
        }
    }

    fn load(&mut self, state: &State, place: Computed, ty: Type) -> Option<Computed> {
        let bytes = ty.store_bytes();
        let (object, offset) = self.accessed(place, bytes)?;
        let mut terms = Vec::new();
        let mut places = Vec::new();
        for at in 0..bytes {
            match self.byte(state, (object, offset + i64::from(at)))? {
                Byte::Term(term) => terms.push(term),
                Byte::OfPlace(object, offset, part) => places.push((object, offset, part)),
            }
        }
        match (&terms[..], &places[..]) {
            (_, []) => {
                let whole = self.store.concat_le(&terms);
                self.narrowed(whole, ty)
            }
            ([], &[(object, offset, 0), ..]) if bytes == 8 => {
                let mut parts = (0..).zip(&places);
                let is_whole = parts.all(|(part, place)| *place == (object, offset, part));
                is_whole.then_some(Computed::Place(object, offset))
            }
            _ => None,
        }
    }

    /// One of the elements that are there, or else a failure.
    fn load_element(
        &mut self,
        state: &mut State,
        object: Object,
        at: i64,
        index: ExprId,
        scale: i64,
        ty: Type,
    ) -> Option<Computed> {
        let bytes = i64::from(ty.store_bytes());
        let size = i64::try_from(self.size(object)?).ok()?;
        if !(1..1 << 24).contains(&scale) || !matches!(object, Object::Global(_)) {
            return None;
        }
        // The first and the last index within the object.
        let first = -at.div_euclid(scale);
        let room = size.checked_sub(bytes)?.checked_sub(at)?;
        let last = room.div_euclid(scale);
        let count = last.checked_sub(first)?.checked_add(1)?;
        if !(1..=MOST_ELEMENTS).contains(&count) {
            return None;
        }
        let mut elements = Vec::new();
        for number in first..=last {
            let place = Computed::Place(object, at + number * scale);
            match self.load(state, place, ty)? {
                Computed::Term(term) => elements.push(term),
                Computed::Place(..) | Computed::Element(..) => return None,
            }
        }
        let first = self.store.constant(first as u64 as u128, 64);
        let number = self.store.sub(index, first);
        let count = self.store.constant(count as u128, 64);
        let is_there = self.store.ult(number, count);
        let is_not = self.store.not(is_there);
        state.outside = self.store.or(state.outside, is_not);
        let found = self.store.lookup(&elements, number);
        Some(Computed::Term(found))
    }

    fn write(&mut self, state: &mut State, place: Computed, value: Computed) -> Option<()> {
        let width = match value {
            Computed::Term(term) => self.store.width(term),
            Computed::Place(..) => 64,
            Computed::Element(..) => return None,
        };
        let bytes = width.div_ceil(8);
        let (object, offset) = self.accessed(place, bytes)?;
        if let Object::Global(number) = object {
            let is_constant = self.sizes.get(&number)?.constant;
            if is_constant || matches!(value, Computed::Place(..)) {
                return None;
            }
        }
        for at in 0..bytes {
            let byte = match value {
                Computed::Term(term) => {
                    let whole = self.store.zext(term, bytes * 8);
                    Byte::Term(self.store.byte(whole, at))
                }
                Computed::Place(object, offset) => Byte::OfPlace(object, offset, at),
                Computed::Element(..) => return None,
            };
            state.bytes.insert((object, offset + i64::from(at)), byte);
        }
        Some(())
    }

    /// A value of whole bytes as one of its type. What a type does not use of its bytes is zero, as the machine has it.
    fn narrowed(&mut self, whole: ExprId, ty: Type) -> Option<Computed> {
        (ty.is_int_like() && ty.bits() <= self.store.width(whole))
            .then(|| Computed::Term(self.store.trunc(whole, ty.bits())))
    }
}

/// The call that is in progress.
struct Frame<'f, 'v> {
    version: usize,
    function: &'f Function,
    values: &'v mut FxHashMap<Value, Computed>,
    depth: usize,
}

/// A symbol for a byte of which nothing is known.
pub(super) fn unknown(store: &mut Store, name: &str, offset: u32) -> ExprId {
    store.symbol_term(&Symbol::Unknown {
        name: name.into(),
        offset,
    })
}

fn is_division(op: BinaryOp) -> bool {
    use BinaryOp::{SDiv, SRem, UDiv, URem};
    matches!(op, SDiv | SRem | UDiv | URem)
}

/// Whether the language leaves no result open.
fn is_total(op: UnaryOp) -> bool {
    use UnaryOp::{LeadingZerosOfNonzero, TrailingZerosOfNonzero};
    !matches!(op, LeadingZerosOfNonzero | TrailingZerosOfNonzero)
}

/// The blocks that can be reached, each before those that come after it; nothing if there is a loop.
fn in_topological_order(function: &Function, entry: Block) -> Option<Vec<Block>> {
    let mut done: FxHashSet<Block> = FxHashSet::default();
    let mut open: FxHashSet<Block> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, false)];
    while let Some((block, is_finished)) = stack.pop() {
        if is_finished {
            open.remove(&block);
            done.insert(block);
            order.push(block);
            continue;
        }
        if done.contains(&block) {
            continue;
        }
        if !open.insert(block) {
            return None;
        }
        stack.push((block, true));
        let last = function.terminator(block)?;
        for next in function.insts[last].data.successors() {
            if open.contains(&next) {
                return None;
            }
            if !done.contains(&next) {
                stack.push((next, false));
            }
        }
    }
    order.reverse();
    Some(order)
}
