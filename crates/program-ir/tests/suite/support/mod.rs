//! Modules made from a list of random words: every list gives a module, and a shorter
//! list or smaller words a simpler one, so that failures shrink well.
//!
//! The modules have the form of real ones (definitions and uses in every order, every
//! instruction, operation and debug type) but make no sense: types do not fit, and ids
//! may lead nowhere.

use program_ir::{
    ArithFlags, AtomicRmwOp, BinaryOp, Block, BlockCall, ByVal, CallData, Callee, CastOp, Constant,
    DebugField, DebugType, DebugTypeData, EntityRef, FileData, FloatPredicate, Function,
    GlobalData, GlobalVariableInfo, Initialiser, InstData, IntPredicate, Linkage, LocData, Module,
    OverflowOp, PtrTerm, Relocation, ScopeData, Signature, TernaryOp, Type, UnaryOp, Value,
    VariableBinding, VariableData, VariablePlace,
};

pub(crate) struct Words<'a> {
    words: std::slice::Iter<'a, u32>,
}

/// How many kinds of instruction [`Words::inst`] knows.
pub(crate) const INST_KINDS: u32 = 36;

impl<'a> Words<'a> {
    pub(crate) fn new(words: &'a [u32]) -> Self {
        Words {
            words: words.iter(),
        }
    }

    fn word(&mut self) -> u32 {
        self.words.next().copied().unwrap_or(0)
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.word() % limit
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    fn id<K: EntityRef>(&mut self) -> K {
        K::new(self.below(12) as usize)
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(make(self)) } else { None }
    }

    fn many<T>(&mut self, limit: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(limit + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn wide(&mut self) -> u64 {
        let word = u64::from(self.word());
        match self.below(4) {
            0 => word % 16,
            1 => word,
            2 => word << 32 | 5,
            _ => u64::MAX - word,
        }
    }

    fn name(&mut self) -> String {
        let names = [
            "main",
            "",
            "v3",
            "fn1",
            ".str.4",
            "a b",
            "...",
            "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
            "quote\" back\\slash",
            "line\nbreak; \r\t\0",
            "größe → \u{301}\u{202e}",
            "9lives",
        ];
        self.pick(&names).to_owned()
    }

    fn ty(&mut self) -> Type {
        let types = [
            Type::Ptr,
            Type::F16,
            Type::F32,
            Type::F64,
            Type::F80,
            Type::F128,
        ];
        match self.below(12) {
            index @ 0..6 => types[index as usize],
            6 => Type::I1,
            7 => Type::I32,
            8 => Type::I64,
            9 => Type::I128,
            _ => Type::Int(self.below(256) as u8),
        }
    }

    fn constant(&mut self) -> Constant {
        match self.below(6) {
            0 => Constant::Bits(u128::from(self.wide())),
            1 => Constant::Bits(u128::from(self.wide()) << 64 | u128::from(self.wide())),
            2 => Constant::Undef,
            3 => Constant::GlobalAddress {
                global: self.id(),
                offset: self.wide() as i64,
            },
            4 => Constant::FunctionAddress(self.id()),
            _ => Constant::BlockAddress {
                func: self.id(),
                block: self.id(),
            },
        }
    }

    pub(crate) fn module(&mut self) -> Module {
        let mut module = Module::default();
        let source = &mut module.source;
        for _ in 0..self.below(3) {
            source.files.push(FileData {
                name: self.name(),
                directory: self.name(),
            });
        }
        for _ in 0..self.below(4) {
            source.scopes.push(ScopeData {
                function: self.some(Self::name),
                file: self.id(),
                line: self.word(),
                parent: self.some(Self::id),
                signature: self.debug_signature(),
            });
        }
        for _ in 0..self.below(4) {
            source.locs.push(LocData {
                line: self.word(),
                column: self.word(),
                scope: self.id(),
                inlined_at: self.some(Self::id),
            });
        }
        for _ in 0..self.below(6) {
            source.types.push(self.debug_type());
        }
        for _ in 0..self.below(4) {
            module.globals.push(self.global());
        }
        for _ in 0..self.below(4) {
            module.functions.push(self.function());
        }
        for _ in 0..self.below(3) {
            module.aliases.insert(self.name(), self.constant());
        }
        module
    }

    fn debug_signature(&mut self) -> Vec<Option<DebugType>> {
        self.many(3, |this| this.some(Self::id))
    }

    fn debug_type(&mut self) -> DebugTypeData {
        match self.below(9) {
            0 => DebugTypeData::Base {
                name: self.name(),
                bits: self.wide(),
                encoding: self.word(),
            },
            1 => DebugTypeData::Pointer {
                to: self.some(Self::id),
            },
            2 => DebugTypeData::Typedef {
                name: self.name(),
                of: self.some(Self::id),
            },
            3 => DebugTypeData::Qualified {
                qualifier: self.name(),
                of: self.some(Self::id),
            },
            4 => DebugTypeData::Array {
                element: self.some(Self::id),
                counts: self.many(3, |this| this.some(Self::wide)),
            },
            5 => DebugTypeData::Composite {
                name: self.name(),
                is_union: self.flag(),
                bits: self.wide(),
                fields: self.many(3, |this| DebugField {
                    name: this.name(),
                    ty: this.some(Self::id),
                    offset_bits: this.wide(),
                    size_bits: this.wide(),
                }),
            },
            6 => DebugTypeData::Enumeration {
                name: self.name(),
                bits: self.wide(),
                enumerators: self.many(3, |this| {
                    let high = i128::from(this.wide() as i64) << 64;
                    (this.name(), high | i128::from(this.wide()))
                }),
            },
            7 => DebugTypeData::Subroutine {
                signature: self.debug_signature(),
            },
            _ => DebugTypeData::Other {
                description: self.name(),
            },
        }
    }

    fn global(&mut self) -> GlobalData {
        let mut bytes = Vec::new();
        for _ in 0..self.below(5) {
            match self.below(4) {
                0 => bytes.extend(self.name().bytes()),
                1 => bytes.extend(vec![0; self.below(3000) as usize]),
                2 => bytes.extend(b"a longer text\nof two lines\0".repeat(4)),
                _ => bytes.extend(self.word().to_le_bytes()),
            }
        }
        GlobalData {
            name: self.name(),
            linkage: self.pick(Linkage::ALL),
            size: self.wide(),
            align: self.word(),
            constant: self.flag(),
            thread_local: self.flag(),
            section: self.some(Self::name),
            initialiser: Initialiser {
                bytes,
                relocations: self.many(3, |this| Relocation {
                    offset: this.wide(),
                    size: this.word() as u8,
                    constant: this.constant(),
                    minus: this.some(Self::constant),
                }),
            },
            info: self.some(|this| GlobalVariableInfo {
                name: this.name(),
                file: this.id(),
                line: this.word(),
                ty: this.some(Self::id),
            }),
        }
    }

    fn function(&mut self) -> Function {
        let signature = Signature {
            params: self.many(3, Self::ty),
            returns: self.many(2, Self::ty),
            variadic: self.flag(),
        };
        let linkage = self.pick(Linkage::ALL);
        let mut function = Function::new(self.name(), linkage, signature);
        function.scope = self.some(Self::id);
        let blocks = self.below(4);
        if blocks == 0 {
            return function;
        }
        for _ in 0..blocks {
            function.add_block();
        }
        for _ in 0..self.below(40) {
            let block = Block::new(self.below(blocks) as usize);
            match self.below(5) {
                0 => {
                    let ty = self.ty();
                    function.add_block_param(block, ty);
                }
                1 => {
                    let (ty, constant) = (self.ty(), self.constant());
                    function.add_constant(ty, constant);
                }
                _ => {
                    let kind = self.below(INST_KINDS);
                    let data = self.inst(kind);
                    let results = self.many(3, Self::ty);
                    let loc = self.some(Self::id);
                    function.append(block, data, &results, loc);
                }
            }
        }
        for _ in 0..self.below(3) {
            function.variables.push(VariableData {
                name: self.name(),
                scope: self.id(),
                line: self.word(),
                ty: self.some(Self::id),
                parameter: self.word() as u16,
            });
        }
        function.bindings = self.many(4, |this| VariableBinding {
            variable: this.id(),
            before: this.id(),
            place: match this.below(3) {
                0 => VariablePlace::Value(this.id()),
                1 => VariablePlace::Memory(this.id()),
                _ => VariablePlace::Gone,
            },
        });
        function
    }

    fn ids<const N: usize>(&mut self) -> [Value; N] {
        std::array::from_fn(|_| self.id())
    }

    fn edge(&mut self) -> BlockCall {
        BlockCall {
            block: self.id(),
            args: self.many(3, Self::id).into(),
        }
    }

    fn call(&mut self) -> CallData {
        CallData {
            callee: match self.flag() {
                true => Callee::Direct(self.id()),
                false => Callee::Indirect(self.id()),
            },
            args: self.many(4, Self::id).into(),
            fixed_args: self.below(6),
            by_val: self
                .many(2, |this| ByVal {
                    arg: this.word(),
                    size: this.wide(),
                    align: this.word(),
                })
                .into(),
            returns: self.many(2, Self::ty).into(),
        }
    }

    /// An instruction of the kind of this number.
    pub(crate) fn inst(&mut self, kind: u32) -> InstData {
        match kind {
            0 => InstData::Unary {
                op: self.pick(UnaryOp::ALL),
                arg: self.id(),
            },
            1 => InstData::Binary {
                op: self.pick(BinaryOp::ALL),
                flags: ArithFlags {
                    no_signed_wrap: self.flag(),
                    no_unsigned_wrap: self.flag(),
                    exact: self.flag(),
                },
                args: self.ids(),
            },
            2 => InstData::Ternary {
                op: self.pick(TernaryOp::ALL),
                args: self.ids(),
            },
            3 => InstData::Overflow {
                op: self.pick(OverflowOp::ALL),
                args: self.ids(),
            },
            4 => InstData::IntCompare {
                predicate: self.pick(IntPredicate::ALL),
                args: self.ids(),
            },
            5 => InstData::FloatCompare {
                predicate: self.pick(FloatPredicate::ALL),
                args: self.ids(),
            },
            6 => InstData::FloatClass {
                mask: self.word() as u16,
                arg: self.id(),
            },
            7 => InstData::Cast {
                op: self.pick(CastOp::ALL),
                arg: self.id(),
            },
            8 => InstData::PtrAdd {
                base: self.id(),
                offset: self.wide() as i64,
                terms: self
                    .many(3, |this| PtrTerm {
                        index: this.id(),
                        scale: this.wide() as i64,
                    })
                    .into(),
                inbounds: self.flag(),
            },
            9 => InstData::Alloca {
                count: self.id(),
                element_size: self.wide(),
                align: self.word(),
            },
            10 => InstData::StackSave,
            11 => InstData::StackRestore { token: self.id() },
            12 => InstData::Load {
                address: self.id(),
                align: self.word(),
                volatile: self.flag(),
            },
            13 => InstData::Store {
                address: self.id(),
                value: self.id(),
                align: self.word(),
                volatile: self.flag(),
            },
            14 => InstData::MemCopy {
                destination: self.id(),
                source: self.id(),
                length: self.id(),
                may_overlap: self.flag(),
            },
            15 => InstData::MemSet {
                destination: self.id(),
                byte: self.id(),
                length: self.id(),
            },
            16 => InstData::AtomicRmw {
                op: self.pick(AtomicRmwOp::ALL),
                address: self.id(),
                value: self.id(),
            },
            17 => InstData::CompareExchange {
                address: self.id(),
                expected: self.id(),
                replacement: self.id(),
            },
            18 => InstData::Fence,
            19 => InstData::Call(Box::new(self.call())),
            20 => InstData::VaStart { list: self.id() },
            21 => InstData::VaCopy {
                destination: self.id(),
                source: self.id(),
            },
            22 => InstData::VaEnd { list: self.id() },
            23 => InstData::Syscall { args: self.ids() },
            24 => InstData::ThreadPointer,
            25 => InstData::Cpuid {
                leaf: self.id(),
                subleaf: self.id(),
            },
            26 => InstData::LandingPad,
            27 => InstData::Unsupported {
                what: self.name().into(),
                operands: self.name().into(),
            },
            28 => InstData::Jump(self.edge()),
            29 => InstData::Branch {
                condition: self.id(),
                then: self.edge(),
                otherwise: self.edge(),
            },
            30 => InstData::Switch {
                arg: self.id(),
                cases: self
                    .many(3, |this| (u128::from(this.wide()), this.edge()))
                    .into(),
                default: self.edge(),
            },
            31 => InstData::IndirectJump {
                address: self.id(),
                targets: self.many(3, Self::edge).into(),
            },
            32 => InstData::Return {
                values: self.many(3, Self::id).into(),
            },
            33 => InstData::Invoke {
                call: Box::new(self.call()),
                normal: self.edge(),
                unwind: self.edge(),
            },
            34 => match self.below(3) {
                0 => InstData::Resume,
                1 => InstData::Unreachable,
                _ => InstData::Trap,
            },
            _ => InstData::UnsupportedTerminator {
                what: self.name().into(),
                operands: self.name().into(),
            },
        }
    }
}
