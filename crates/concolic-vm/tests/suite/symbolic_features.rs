//! How terms travel: through variadic arguments, non-local jumps, by-value structs, the
//! heap, files and streams; and how inputs of whole programs become symbols.
//!
//! Each program is run on one input, and then on others: what the terms of the first run
//! say about an input that takes the same path must be what its own run gives.

use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::symbolic::{
    EventKind, InputBytes, PathEvent, Reason, SymbolicInput, SymbolicLimits, SymbolicProcess,
    SymbolicRun,
};
use concolic_vm::{End, Limits, Program};
use expr::{Evaluation, ExprId, Model, Store, Symbol};
use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, ByVal, CallData, Callee, Constant, Func, Function,
    GlobalData, Initialiser, InstData, IntPredicate, Linkage, Module, PtrTerm, Signature, Type,
    Value,
};

/// A function under construction, one block at a time.
struct Body {
    function: Function,
    block: Block,
}

impl Body {
    fn new(name: &str, params: &[Type], returns: &[Type], variadic: bool) -> Body {
        let signature = Signature {
            params: params.to_vec(),
            returns: returns.to_vec(),
            variadic,
        };
        let mut function = Function::new(name, Linkage::Exported, signature);
        let block = function.add_block();
        for &ty in params {
            function.add_block_param(block, ty);
        }
        Body { function, block }
    }

    fn param(&self, index: usize) -> Value {
        self.function.params()[index]
    }

    fn int(&mut self, ty: Type, value: u128) -> Value {
        self.function.add_constant(ty, Constant::Bits(value))
    }

    fn word(&mut self, value: u64) -> Value {
        self.int(Type::I64, u128::from(value))
    }

    fn emit(&mut self, data: InstData) {
        self.function.append(self.block, data, &[], None);
    }

    fn get(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.function.append(self.block, data, &[ty], None);
        self.function.results(inst).next().unwrap()
    }

    fn alloca(&mut self, size: u64) -> Value {
        let count = self.word(size);
        let data = InstData::Alloca {
            count,
            element_size: 1,
            align: 16,
        };
        self.get(data, Type::Ptr)
    }

    fn at(&mut self, base: Value, offset: i64) -> Value {
        let data = InstData::PtrAdd {
            base,
            offset,
            terms: [].into(),
            inbounds: false,
        };
        self.get(data, Type::Ptr)
    }

    fn indexed(&mut self, base: Value, index: Value) -> Value {
        let data = InstData::PtrAdd {
            base,
            offset: 0,
            terms: [PtrTerm { index, scale: 1 }].into(),
            inbounds: false,
        };
        self.get(data, Type::Ptr)
    }

    fn load(&mut self, address: Value, ty: Type) -> Value {
        let data = InstData::Load {
            address,
            align: 1,
            volatile: false,
        };
        self.get(data, ty)
    }

    fn store(&mut self, address: Value, value: Value) {
        self.emit(InstData::Store {
            address,
            value,
            align: 1,
            volatile: false,
        });
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, args: [Value; 2]) -> Value {
        let flags = ArithFlags::default();
        self.get(InstData::Binary { op, flags, args }, ty)
    }

    fn cast(&mut self, op: program_ir::CastOp, arg: Value, ty: Type) -> Value {
        self.get(InstData::Cast { op, arg }, ty)
    }

    fn call_data(callee: Func, args: &[Value], fixed: usize, returns: &[Type]) -> CallData {
        CallData {
            callee: Callee::Direct(callee),
            args: args.into(),
            fixed_args: fixed as u32,
            by_val: [].into(),
            returns: returns.into(),
        }
    }

    fn call(&mut self, callee: Func, args: &[Value], ty: Type) -> Value {
        let call = Body::call_data(callee, args, args.len(), &[ty]);
        self.get(InstData::Call(Box::new(call)), ty)
    }

    fn syscall(&mut self, number: u64, args: &[Value]) -> Value {
        let zero = self.word(0);
        let mut all = [zero; 7];
        all[0] = self.word(number);
        all[1..=args.len()].copy_from_slice(args);
        self.get(InstData::Syscall { args: all }, Type::I64)
    }

    fn ret(&mut self, values: &[Value]) {
        self.emit(InstData::Return {
            values: values.into(),
        });
    }

    fn branch(&mut self, condition: Value) -> (Block, Block) {
        let (then, otherwise) = (self.function.add_block(), self.function.add_block());
        let edge = |block| BlockCall {
            block,
            args: [].into(),
        };
        self.emit(InstData::Branch {
            condition,
            then: edge(then),
            otherwise: edge(otherwise),
        });
        (then, otherwise)
    }
}

fn declare(module: &mut Module, name: &str, params: &[Type], returns: &[Type]) -> Func {
    let signature = Signature {
        params: params.to_vec(),
        returns: returns.to_vec(),
        variadic: false,
    };
    module
        .functions
        .push(Function::new(name, Linkage::Import, signature))
}

/// A global that holds the text and a zero.
fn text(module: &mut Module, body: &mut Body, text: &str) -> Value {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let global = module.globals.push(GlobalData {
        name: text.to_string(),
        linkage: Linkage::Local,
        size: bytes.len() as u64,
        align: 1,
        constant: true,
        thread_local: false,
        section: None,
        initialiser: Initialiser {
            bytes,
            relocations: Vec::new(),
        },
        info: None,
    });
    let constant = Constant::GlobalAddress { global, offset: 0 };
    body.function.add_constant(Type::Ptr, constant)
}

fn load_program(mut module: Module, body: Body) -> (Program, Func) {
    let func = module.functions.push(body.function);
    (Program::new(module, 1 << 22).unwrap(), func)
}

fn symbol_word(store: &mut Store, name: &str) -> ExprId {
    let bytes: Vec<ExprId> = (0..8)
        .map(|offset| {
            store.symbol_term(&Symbol::Variable {
                name: name.into(),
                offset,
                size: 8,
            })
        })
        .collect();
    store.concat_le(&bytes)
}

fn model_of(store: &mut Store, values: &[u64]) -> Model {
    let mut model = Model::new();
    for (index, value) in values.iter().enumerate() {
        for offset in 0..8 {
            let symbol = Symbol::Variable {
                name: format!("p{index}").into(),
                offset,
                size: 8,
            };
            let term = store.symbol_term(&symbol);
            let id = store.as_symbol(term).unwrap();
            model.set(id, value >> (8 * offset) & 0xff);
        }
    }
    model
}

fn call<'p>(
    program: &'p Program,
    func: Func,
    store: &mut Store,
    values: &[u64],
) -> (SymbolicRun, SymbolicProcess<'p>) {
    let kernel = Kernel::new(KernelConfig::default()).unwrap();
    let limits = (Limits::default(), SymbolicLimits::default());
    let mut process = SymbolicProcess::call(program, kernel, limits.0, limits.1, func).unwrap();
    for (index, &value) in values.iter().enumerate() {
        let term = symbol_word(store, &format!("p{index}"));
        process.set_argument(index, value, Some(term));
    }
    let run = process.run(store);
    let model = model_of(store, values);
    assert_eq!(process.first_disagreement(store, &model), None);
    (run, process)
}

/// Runs `func` on the first inputs, and checks what its terms say about the others.
/// Returns the first run, and how many inputs took the same path.
fn check(program: &Program, func: Func, inputs: &[&[u64]]) -> (SymbolicRun, usize) {
    let mut store = Store::new();
    let (run, process) = call(program, func, &mut store, inputs[0]);
    assert!(
        run.returned.iter().any(Option::is_some) || !run.path.is_empty(),
        "the result does not depend on the input: {run:?}"
    );
    let mut same = 0;
    for values in inputs {
        let model = model_of(&mut store, values);
        let mut evaluation = Evaluation::new(model);
        let (other_run, other) = call(program, func, &mut store, values);
        let takes_it = run
            .path
            .iter()
            .all(|event| evaluation.holds(&store, event.condition));
        if !takes_it {
            assert_ne!(run.path, other_run.path);
            continue;
        }
        same += 1;
        let expected: Vec<u64> = run
            .returned
            .iter()
            .zip(process.machine().returned())
            .map(|(term, &word)| match term {
                Some(term) => evaluation.value(&store, *term) as u64,
                None => word,
            })
            .collect();
        assert_eq!(other.machine().returned(), expected, "{values:x?}");
        assert_eq!(other_run.path, run.path);
    }
    (run, same)
}

const INPUTS: [&[u64]; 5] = [
    &[5, 0x1122_3344_5566_7788],
    &[0, 1],
    &[u64::MAX, 0],
    &[200, 77],
    &[7, 1 << 63],
];

#[test]
fn variadic_arguments_carry_terms() {
    let mut module = Module::default();
    let mut callee = Body::new("pick", &[Type::I32], &[Type::I64, Type::I32], true);
    let list = callee.alloca(24);
    callee.emit(InstData::VaStart { list });
    let slot = callee.at(list, 8);
    let area = callee.load(slot, Type::Ptr);
    let second = callee.at(area, 8);
    let results = [callee.load(second, Type::I64), callee.load(area, Type::I32)];
    callee.ret(&results);
    let pick = module.functions.push(callee.function);
    let types = [Type::I64, Type::I32];
    let mut body = Body::new("subject", &[Type::I64; 2], &types, false);
    let one = body.int(Type::I32, 1);
    let (first, second) = (body.param(0), body.param(1));
    let narrow = body.cast(program_ir::CastOp::Truncate, first, Type::I32);
    let call = Body::call_data(pick, &[one, narrow, second], 1, &types);
    let inst = body
        .function
        .append(body.block, InstData::Call(Box::new(call)), &types, None);
    let results: Vec<Value> = body.function.results(inst).collect();
    body.ret(&results);
    let (program, func) = load_program(module, body);
    let (run, same) = check(&program, func, &INPUTS);
    assert_eq!((run.path.len(), same), (0, INPUTS.len()));
    assert!(run.returned.iter().all(Option::is_some));
}

#[test]
fn a_long_jump_carries_its_value() {
    let mut module = Module::default();
    let set_jump = declare(&mut module, "setjmp", &[Type::Ptr], &[Type::I32]);
    let long_jump = declare(&mut module, "longjmp", &[Type::Ptr, Type::I32], &[]);
    let mut body = Body::new("subject", &[Type::I64], &[Type::I32], false);
    let buffer = body.alloca(200);
    let value = body.call(set_jump, &[buffer], Type::I32);
    let zero = body.int(Type::I32, 0);
    let compare = InstData::IntCompare {
        predicate: IntPredicate::Eq,
        args: [value, zero],
    };
    let first = body.get(compare, Type::I1);
    let (jump, back) = body.branch(first);
    body.block = jump;
    let wide = body.param(0);
    let narrow = body.cast(program_ir::CastOp::Truncate, wide, Type::I32);
    let call = Body::call_data(long_jump, &[buffer, narrow], 2, &[]);
    body.emit(InstData::Call(Box::new(call)));
    body.emit(InstData::Unreachable);
    body.block = back;
    body.ret(&[value]);
    let (program, func) = load_program(module, body);
    let (run, same) = check(&program, func, &INPUTS.map(|input| &input[..1]));
    // That the value is never 0 is known without asking anybody.
    assert_eq!(same, INPUTS.len());
    assert!(run.returned[0].is_some());
}

#[test]
fn a_struct_by_value_is_a_copy_with_its_terms() {
    let mut module = Module::default();
    let mut callee = Body::new("change", &[Type::Ptr], &[Type::I64], false);
    let pointer = callee.param(0);
    let before = callee.load(pointer, Type::I64);
    let zero = callee.word(0);
    callee.store(pointer, zero);
    callee.ret(&[before]);
    let change = module.functions.push(callee.function);
    let types = [Type::I64; 2];
    let mut body = Body::new("subject", &[Type::I64], &types, false);
    let structure = body.alloca(16);
    let value = body.param(0);
    body.store(structure, value);
    let mut call = Body::call_data(change, &[structure], 1, &[Type::I64]);
    call.by_val = [ByVal {
        arg: 0,
        size: 16,
        align: 8,
    }]
    .into();
    let theirs = body.get(InstData::Call(Box::new(call)), Type::I64);
    let ours = body.load(structure, Type::I64);
    body.ret(&[theirs, ours]);
    let (program, func) = load_program(module, body);
    let (run, same) = check(&program, func, &INPUTS.map(|input| &input[..1]));
    assert_eq!(same, INPUTS.len());
    assert_eq!(run.returned[0], run.returned[1]);
}

#[test]
fn the_heap_and_block_copies_carry_terms() {
    let mut module = Module::default();
    let malloc = declare(&mut module, "malloc", &[Type::I64], &[Type::Ptr]);
    let realloc = declare(
        &mut module,
        "realloc",
        &[Type::Ptr, Type::I64],
        &[Type::Ptr],
    );
    let set = [Type::Ptr, Type::I32, Type::I64];
    let memset = declare(&mut module, "memset", &set, &[Type::Ptr]);
    let copy = [Type::Ptr, Type::Ptr, Type::I64];
    let memcpy = declare(&mut module, "memcpy", &copy, &[Type::Ptr]);
    let types = [Type::I64, Type::I32];
    let mut body = Body::new("subject", &[Type::I64; 2], &types, false);
    let (first, second) = (body.param(0), body.param(1));
    let (small, large, three) = (body.word(16), body.word(4000), body.word(3));
    let block = body.call(malloc, &[small], Type::Ptr);
    let middle = body.at(block, 5);
    body.store(middle, second);
    let byte = body.cast(program_ir::CastOp::Truncate, first, Type::I32);
    body.call(memset, &[block, byte, three], Type::Ptr);
    let grown = body.call(realloc, &[block, large], Type::Ptr);
    let far = body.at(grown, 3000);
    body.call(memcpy, &[far, grown, small], Type::Ptr);
    let source = body.at(grown, 3005);
    let results = [body.load(source, Type::I64), body.load(far, Type::I32)];
    body.ret(&results);
    let (program, func) = load_program(module, body);
    let (run, same) = check(&program, func, &INPUTS);
    assert_eq!((run.path.len(), same), (0, INPUTS.len()));
    assert_eq!(run.returned.iter().flatten().count(), 2);
}

#[test]
fn a_symbolic_length_looks_for_overflows_before_it_is_taken() {
    let mut module = Module::default();
    let copy = [Type::Ptr, Type::Ptr, Type::I64];
    let memcpy = declare(&mut module, "memcpy", &copy, &[Type::Ptr]);
    let mut body = Body::new("subject", &[Type::I64], &[Type::I8], false);
    let (target, source) = (body.alloca(8), body.alloca(100));
    let length = body.param(0);
    body.call(memcpy, &[target, source, length], Type::Ptr);
    let result = body.load(target, Type::I8);
    body.ret(&[result]);
    let (program, func) = load_program(module, body);
    let (run, _) = check(&program, func, &[&[3], &[8], &[9]]);
    let kinds: Vec<EventKind> = run.path.iter().map(|event| event.kind).collect();
    assert_eq!(kinds[0], EventKind::Bounds);
    assert_eq!(kinds.last(), Some(&EventKind::Concretised(Reason::Length)));
    let mut store = Store::new();
    let (run, _) = call(&program, func, &mut store, &[3]);
    let nine = model_of(&mut store, &[9]);
    assert_eq!(store.eval(run.path[0].alternatives[0].condition, &nine), 1);
    let (over, _) = call(&program, func, &mut store, &[9]);
    assert!(matches!(over.outcome.end, End::Memory(_)));
}

#[test]
fn an_index_into_a_large_object_is_taken_as_it_is() {
    let mut body = Body::new("subject", &[Type::I64], &[Type::I8], false);
    let table = body.alloca(100_000);
    let index = body.param(0);
    let place = body.indexed(table, index);
    let result = body.load(place, Type::I8);
    body.ret(&[result]);
    let (program, func) = load_program(Module::default(), body);
    let (run, same) = check(&program, func, &[&[5], &[99_999], &[100_000]]);
    assert_eq!(same, 1);
    let kinds: Vec<EventKind> = run.path.iter().map(|event| event.kind).collect();
    let large = EventKind::Concretised(Reason::LargeObject);
    assert_eq!(kinds, [EventKind::Bounds, large]);
    assert_eq!(run.assumptions().len(), 1);
}

/// Reads eight bytes from standard input, writes them to a file and reads them back,
/// prints them, and exits with the sum of two of them.
fn round_trip() -> (Module, Body) {
    let mut module = Module::default();
    let params = [Type::I32, Type::Ptr, Type::Ptr];
    let mut body = Body::new("main", &params, &[Type::I32], false);
    let path = text(&mut module, &mut body, "/tmp/copy");
    let (read_buffer, second) = (body.alloca(8), body.alloca(8));
    let zero = body.word(0);
    let (one, eight) = (body.word(1), body.word(8));
    body.syscall(0, &[zero, read_buffer, eight]);
    let (flags, mode) = (body.word(0o102), body.word(0o644));
    let file = body.syscall(2, &[path, flags, mode]);
    body.syscall(1, &[file, read_buffer, eight]);
    body.syscall(8, &[file, zero, zero]);
    body.syscall(0, &[file, second, eight]);
    body.syscall(1, &[one, second, eight]);
    let third = body.at(second, 3);
    let bytes = [body.load(second, Type::I8), body.load(third, Type::I8)];
    let sum = body.binary(BinaryOp::Add, Type::I8, bytes);
    let status = body.cast(program_ir::CastOp::ZeroExtend, sum, Type::I64);
    body.syscall(231, &[status]);
    body.emit(InstData::Unreachable);
    (module, body)
}

#[test]
fn files_and_streams_keep_terms() {
    let (module, body) = round_trip();
    let (program, _) = load_program(module, body);
    let mut store = Store::new();
    let input = SymbolicInput {
        args: vec![InputBytes::concrete("program")],
        stdin: InputBytes::symbolic(*b"abcdefgh"),
        ..SymbolicInput::default()
    };
    let mut process = start(&program, &mut store, &input);
    let run = process.run(&mut store);
    assert_eq!(run.path, []);
    let status = run.exit_status.expect("the status depends on the input");
    let model = process.model(&mut store, &input);
    let expected = b'a'.wrapping_add(b'd');
    assert_eq!(store.eval(status, &model), u128::from(expected));
    assert_eq!(
        run.outcome.end,
        End::Exit {
            status: i32::from(expected)
        }
    );
    let symbols: Vec<u32> = (0..8)
        .map(|offset| store.symbol_term(&Symbol::Stdin { offset }).raw())
        .collect();
    let output = process.machine().kernel().stdout();
    assert_eq!(output.bytes(), b"abcdefgh");
    assert_eq!(output.terms(), Some(&symbols[..]));
}

fn start<'p>(
    program: &'p Program,
    store: &mut Store,
    input: &SymbolicInput,
) -> SymbolicProcess<'p> {
    start_within(program, store, SymbolicLimits::default(), input)
}

fn start_within<'p>(
    program: &'p Program,
    store: &mut Store,
    limits: SymbolicLimits,
    input: &SymbolicInput,
) -> SymbolicProcess<'p> {
    let kernel = KernelConfig::default();
    SymbolicProcess::start(program, store, kernel, Limits::default(), limits, input).unwrap()
}

/// Exits with 1 if `argv[1]`, `$MODE`'s value, the named variable and the file begin with
/// the same byte, else with the variable.
fn four_sources() -> (Module, Body) {
    let mut module = Module::default();
    let params = [Type::Ptr, Type::I64, Type::Ptr];
    let symbolic = declare(&mut module, "parallax_symbolic", &params, &[]);
    let params = [Type::I32, Type::Ptr, Type::Ptr];
    let mut body = Body::new("main", &params, &[Type::I32], false);
    let name = text(&mut module, &mut body, "n");
    let path = text(&mut module, &mut body, "/data");
    let variable = body.alloca(4);
    let four = body.word(4);
    for _ in 0..2 {
        let call = Body::call_data(symbolic, &[variable, four, name], 3, &[]);
        body.emit(InstData::Call(Box::new(call)));
    }
    let content = body.alloca(2);
    let (zero, two) = (body.word(0), body.word(2));
    let file = body.syscall(2, &[path, zero]);
    body.syscall(0, &[file, content, two]);
    let (argv, environment) = (body.param(1), body.param(2));
    let slot = body.at(argv, 8);
    let argument = body.load(slot, Type::Ptr);
    let setting = body.load(environment, Type::Ptr);
    let setting = body.at(setting, 5);
    let own = body.load(variable, Type::I8);
    let status = body.cast(program_ir::CastOp::ZeroExtend, own, Type::I32);
    for place in [argument, setting, content] {
        let other = body.load(place, Type::I8);
        let compare = InstData::IntCompare {
            predicate: IntPredicate::Eq,
            args: [own, other],
        };
        let equal = body.get(compare, Type::I1);
        let (next, done) = body.branch(equal);
        body.block = done;
        body.ret(&[status]);
        body.block = next;
    }
    let one = body.int(Type::I32, 1);
    body.ret(&[one]);
    (module, body)
}

#[test]
fn every_kind_of_input_can_be_symbolic_and_reseeded() {
    let (module, body) = four_sources();
    let (program, _) = load_program(module, body);
    let input = |argument: &[u8], setting: &[u8], file: &[u8], variable: &[u8]| SymbolicInput {
        args: vec![
            InputBytes::concrete("program"),
            InputBytes::symbolic_string(argument, 3),
        ],
        environment: vec![("MODE".into(), InputBytes::symbolic(setting))],
        files: [("/data".to_string(), InputBytes::symbolic(file))].into(),
        // The second use of the name is the one that counts.
        variables: [("n#2".to_string(), variable.to_vec())].into(),
        ..SymbolicInput::default()
    };
    let first = input(b"", b"fast", b"xy", b"");
    let others = [
        input(b"a", b"fast", b"xy", b"a"),
        input(b"f", b"fast", b"xy", b"f"),
        input(b"q", b"qest", b"qy", b"q"),
        input(b"", b"\0ast", b"xy", b""),
        first.clone(),
    ];
    let mut store = Store::new();
    let mut process = start(&program, &mut store, &first);
    let run = process.run(&mut store);
    let event = run.path.first().expect("the first comparison is symbolic");
    let names: Vec<_> = run.variables.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["n", "n#2"]);
    // A snapshot before the first decision serves every input.
    let mut snapshot = start(&program, &mut store, &first);
    assert!(snapshot.run_before(&mut store, event) && snapshot.path().is_empty());
    let mut statuses = Vec::new();
    for other in &others {
        let mut resumed = snapshot.clone();
        resumed.reseed(&mut store, other);
        let resumed_run = resumed.run(&mut store);
        let mut scratch = start(&program, &mut store, other);
        let expected = scratch.run(&mut store);
        assert_eq!(resumed_run.outcome, expected.outcome);
        assert_eq!(resumed_run.path, expected.path);
        assert_eq!(resumed_run.returned, expected.returned);
        assert_eq!(resumed_run.coverage, expected.coverage);
        assert_eq!(resumed.machine().kernel().file_changes(), []);
        let model = scratch.model(&mut store, other);
        assert_eq!(scratch.first_disagreement(&store, &model), None);
        // The model of an input gives that input again.
        assert_eq!(
            first
                .with_model(&store, &model)
                .model(&mut store, &run.variables),
            model
        );
        statuses.push(scratch.machine().returned()[0]);
    }
    assert_eq!(statuses, [u64::from(b'a'), u64::from(b'f'), 1, 0, 0]);
}

/// Decides about the two bytes of standard input, asks for a variable of two bytes, and decides about these. Exits with how
/// many of the four are `x`.
fn late_variable() -> (Module, Body) {
    let mut module = Module::default();
    let params = [Type::Ptr, Type::I64, Type::Ptr];
    let symbolic = declare(&mut module, "parallax_symbolic", &params, &[]);
    let params = [Type::I32, Type::Ptr, Type::Ptr];
    let mut body = Body::new("main", &params, &[Type::I32], false);
    let name = text(&mut module, &mut body, "n");
    let (content, variable) = (body.alloca(2), body.alloca(2));
    let (zero, two) = (body.word(0), body.word(2));
    body.syscall(0, &[zero, content, two]);
    let [second, last] = [content, variable].map(|first| body.at(first, 1));
    let mut leaves = vec![(body.block, 0)];
    for place in [content, second, variable, last] {
        let mut next = Vec::new();
        for (block, count) in leaves {
            body.block = block;
            if place == variable {
                let call = Body::call_data(symbolic, &[variable, two, name], 3, &[]);
                body.emit(InstData::Call(Box::new(call)));
            }
            let byte = body.load(place, Type::I8);
            let compare = InstData::IntCompare {
                predicate: IntPredicate::Eq,
                args: [byte, body.int(Type::I8, u128::from(b'x'))],
            };
            let is_x = body.get(compare, Type::I1);
            let (then, otherwise) = body.branch(is_x);
            next.extend([(then, count + 1), (otherwise, count)]);
        }
        leaves = next;
    }
    for (block, count) in leaves {
        body.block = block;
        let status = body.int(Type::I32, count);
        body.ret(&[status]);
    }
    (module, body)
}

/// After as many decisions as there may be, a path says which input it is, and goes on for that alone. That is true
/// also of a variable that the program asks for later.
#[test]
fn after_many_decisions_the_input_is_taken_as_it_is() {
    let (module, body) = late_variable();
    let (program, _) = load_program(module, body);
    let input = |bytes: [u8; 4]| SymbolicInput {
        args: vec![InputBytes::concrete("program")],
        stdin: InputBytes::symbolic(&bytes[..2]),
        variables: [("n".to_string(), bytes[2..].to_vec())].into(),
        ..SymbolicInput::default()
    };
    let of_number =
        |number: usize| std::array::from_fn(|byte| b"axb"[number / 3usize.pow(byte as u32) % 3]);
    let inputs: Vec<[u8; 4]> = (0..81).map(of_number).collect();
    let mut store = Store::new();
    let mut run = |bytes: [u8; 4], decisions: u32| {
        let limits = SymbolicLimits {
            decisions,
            ..SymbolicLimits::default()
        };
        let input = input(bytes);
        let mut process = start_within(&program, &mut store, limits, &input);
        let run = process.run(&mut store);
        let model = process.model(&mut store, &input);
        assert_eq!(process.first_disagreement(&store, &model), None);
        let status = bytes.iter().filter(|&&byte| byte == b'x').count() as i32;
        assert_eq!(run.outcome.end, End::Exit { status });
        (process, run)
    };
    let runs: Vec<_> = inputs.iter().map(|&bytes| run(bytes, 1)).collect();
    assert_eq!(run(inputs[0], 9).1.path.len(), 4);
    for (given, (process, run)) in inputs.iter().zip(&runs) {
        let taken: Vec<bool> = run.path.iter().map(PathEvent::takes_input).collect();
        assert_eq!(taken, [false, true, false, true]);
        for other in &inputs {
            let model = process.model(&mut store, &input(*other));
            let holds = |condition| store.eval(condition, &model) == 1;
            let leaves = run.path.iter().find(|event| !holds(event.condition));
            assert_eq!(leaves.is_none(), other == given);
            let says_where = |event: &PathEvent| holds(event.alternatives[0].condition);
            assert!(leaves.is_none_or(says_where));
            let all_hold = run.path[..2].iter().all(|event| holds(event.condition));
            assert_eq!(all_hold, other[..2] == given[..2]);
        }
    }
}
