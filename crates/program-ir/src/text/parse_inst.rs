//! Parsing instructions.

use super::lex::Token;
use super::parse::{Parsed, Parser};
use super::parse_function::Body;
use crate::{
    ArithFlags, AtomicRmwOp, BinaryOp, BlockCall, ByVal, CallData, Callee, CastOp, FloatPredicate,
    InstData, IntPredicate, OverflowOp, PtrTerm, TernaryOp, UnaryOp, Value,
};

impl Parser<'_> {
    /// From the mnemonic on.
    pub(super) fn inst_data(&mut self, body: &mut Body) -> Parsed<InstData> {
        let Token::Word(mnemonic) = self.token else {
            return Err(self.expected("an operation"));
        };
        let start = self.start;
        self.advance()?;
        if let Some(op) = BinaryOp::from_name(mnemonic) {
            let mut flags = ArithFlags::default();
            loop {
                if self.take_word("nsw")? {
                    flags.no_signed_wrap = true;
                } else if self.take_word("nuw")? {
                    flags.no_unsigned_wrap = true;
                } else if self.take_word("exact")? {
                    flags.exact = true;
                } else {
                    break;
                }
            }
            let args = self.operands(body)?;
            return Ok(InstData::Binary { op, flags, args });
        }
        if let Some(op) = UnaryOp::from_name(mnemonic) {
            let arg = self.operand(body)?;
            return Ok(InstData::Unary { op, arg });
        }
        if let Some(op) = CastOp::from_name(mnemonic) {
            let arg = self.operand(body)?;
            return Ok(InstData::Cast { op, arg });
        }
        if let Some(op) = TernaryOp::from_name(mnemonic) {
            let args = self.operands(body)?;
            return Ok(InstData::Ternary { op, args });
        }
        if let Some(op) = OverflowOp::from_name(mnemonic) {
            let args = self.operands(body)?;
            return Ok(InstData::Overflow { op, args });
        }
        match self.special(mnemonic, body)? {
            Some(data) => Ok(data),
            None => {
                let found = Token::Word(mnemonic);
                Err(self.error_at(start, format!("expected an operation, found {found}")))
            }
        }
    }

    /// Operations with a syntax of their own; `None` if `mnemonic` is none of them.
    fn special(&mut self, mnemonic: &str, body: &mut Body) -> Parsed<Option<InstData>> {
        Ok(Some(match mnemonic {
            "icmp" => InstData::IntCompare {
                predicate: self.name("a predicate (`eq`, `slt`, …)", IntPredicate::from_name)?,
                args: self.operands(body)?,
            },
            "fcmp" => InstData::FloatCompare {
                predicate: self.name("a predicate (`oeq`, `ult`, …)", FloatPredicate::from_name)?,
                args: self.operands(body)?,
            },
            "float_class" => InstData::FloatClass {
                mask: self.number("a mask of 16 bits")?,
                arg: self.operand(body)?,
            },
            "ptr_add" => self.ptr_add(body)?,
            "alloca" => {
                let count = self.operand(body)?;
                self.symbol(',')?;
                self.word("size")?;
                let element_size = self.number("a size in bytes")?;
                InstData::Alloca {
                    count,
                    element_size,
                    align: self.align()?,
                }
            }
            "stack_save" => InstData::StackSave,
            "stack_restore" => InstData::StackRestore {
                token: self.operand(body)?,
            },
            "load" => {
                let volatile = self.take_word("volatile")?;
                InstData::Load {
                    address: self.operand(body)?,
                    align: self.align()?,
                    volatile,
                }
            }
            "store" => {
                let volatile = self.take_word("volatile")?;
                let value = self.operand(body)?;
                self.word("to")?;
                InstData::Store {
                    address: self.operand(body)?,
                    value,
                    align: self.align()?,
                    volatile,
                }
            }
            "mem_copy" | "mem_move" => {
                let [destination, source, length] = self.operands(body)?;
                InstData::MemCopy {
                    destination,
                    source,
                    length,
                    may_overlap: mnemonic == "mem_move",
                }
            }
            "mem_set" => {
                let [destination, byte, length] = self.operands(body)?;
                InstData::MemSet {
                    destination,
                    byte,
                    length,
                }
            }
            "atomic_rmw" => {
                let op = self.name(
                    "an operation (`add`, `exchange`, …)",
                    AtomicRmwOp::from_name,
                )?;
                let [address, value] = self.operands(body)?;
                InstData::AtomicRmw { op, address, value }
            }
            "compare_exchange" => {
                let [address, expected, replacement] = self.operands(body)?;
                InstData::CompareExchange {
                    address,
                    expected,
                    replacement,
                }
            }
            "fence" => InstData::Fence,
            "call" => InstData::Call(Box::new(self.call(body)?)),
            "va_start" => InstData::VaStart {
                list: self.operand(body)?,
            },
            "va_copy" => {
                let [destination, source] = self.operands(body)?;
                InstData::VaCopy {
                    destination,
                    source,
                }
            }
            "va_end" => InstData::VaEnd {
                list: self.operand(body)?,
            },
            "syscall" => InstData::Syscall {
                args: self.operands(body)?,
            },
            "thread_pointer" => InstData::ThreadPointer,
            "cpuid" => {
                let [leaf, subleaf] = self.operands(body)?;
                InstData::Cpuid { leaf, subleaf }
            }
            "landing_pad" => InstData::LandingPad,
            "unsupported" => InstData::Unsupported {
                what: self.string()?.into(),
                operands: self.string()?.into(),
            },
            _ => return self.terminator(mnemonic, body),
        }))
    }

    fn terminator(&mut self, mnemonic: &str, body: &mut Body) -> Parsed<Option<InstData>> {
        Ok(Some(match mnemonic {
            "jump" => InstData::Jump(self.edge(body)?),
            "branch" => {
                let condition = self.operand(body)?;
                self.symbol(',')?;
                let then = self.edge(body)?;
                self.symbol(',')?;
                InstData::Branch {
                    condition,
                    then,
                    otherwise: self.edge(body)?,
                }
            }
            "switch" => self.switch(body)?,
            "indirect_jump" => {
                let address = self.operand(body)?;
                self.symbol('[')?;
                InstData::IndirectJump {
                    address,
                    targets: self.list(']', |this| this.edge(body))?.into(),
                }
            }
            "return" => {
                let mut values = Vec::new();
                if self.at_operand() {
                    values.push(self.operand(body)?);
                    while self.take_symbol(',')? {
                        values.push(self.operand(body)?);
                    }
                }
                InstData::Return {
                    values: values.into(),
                }
            }
            "invoke" => {
                let call = Box::new(self.call(body)?);
                self.word("to")?;
                let normal = self.edge(body)?;
                self.word("unwind")?;
                InstData::Invoke {
                    call,
                    normal,
                    unwind: self.edge(body)?,
                }
            }
            "resume" => InstData::Resume,
            "unreachable" => InstData::Unreachable,
            "trap" => InstData::Trap,
            "unsupported_terminator" => InstData::UnsupportedTerminator {
                what: self.string()?.into(),
                operands: self.string()?.into(),
            },
            _ => return Ok(None),
        }))
    }

    fn ptr_add(&mut self, body: &mut Body) -> Parsed<InstData> {
        let inbounds = self.take_word("inbounds")?;
        let base = self.operand(body)?;
        self.symbol(',')?;
        let offset = self.number("an offset of 64 bits")?;
        let mut terms = Vec::new();
        while self.take_symbol(',')? {
            let index = self.operand(body)?;
            self.symbol('*')?;
            let scale = self.number("a scale of 64 bits")?;
            terms.push(PtrTerm { index, scale });
        }
        Ok(InstData::PtrAdd {
            base,
            offset,
            terms: terms.into(),
            inbounds,
        })
    }

    fn switch(&mut self, body: &mut Body) -> Parsed<InstData> {
        let arg = self.operand(body)?;
        self.symbol('{')?;
        let mut cases = Vec::new();
        while !self.take_word("default")? {
            let bits: u128 = self.number("a case or `default`")?;
            self.symbol(':')?;
            cases.push((bits, self.edge(body)?));
            self.symbol(',')?;
        }
        self.symbol(':')?;
        let default = self.edge(body)?;
        self.symbol('}')?;
        Ok(InstData::Switch {
            arg,
            cases: cases.into(),
            default,
        })
    }

    fn call(&mut self, body: &mut Body) -> Parsed<CallData> {
        let callee = match self.peek_id::<crate::Func>("fn") {
            Some(_) => Callee::Direct(self.function_reference()?),
            None => Callee::Indirect(self.operand(body)?),
        };
        self.symbol('(')?;
        let mut named: Option<u32> = None;
        let mut count = 0;
        let args = self.list(')', |this| {
            if named.is_none() && this.take(Token::Ellipsis)? {
                named = Some(count);
            }
            count += 1;
            this.operand(body)
        })?;
        let fixed_args = match self.take_word("fixed")? {
            true => self.number("a number of arguments")?,
            false => named.unwrap_or(count),
        };
        let returns = self.returns()?;
        let by_val = match self.take_word("by_val")? {
            true => {
                self.symbol('(')?;
                self.list(')', Self::by_val)?
            }
            false => Vec::new(),
        };
        Ok(CallData {
            callee,
            args: args.into(),
            fixed_args,
            by_val: by_val.into(),
            returns: returns.into(),
        })
    }

    fn by_val(&mut self) -> Parsed<ByVal> {
        let arg = self.number("an argument's number")?;
        self.symbol(':')?;
        self.word("size")?;
        let size = self.number("a size in bytes")?;
        self.word("align")?;
        Ok(ByVal {
            arg,
            size,
            align: self.number("an alignment")?,
        })
    }

    fn edge(&mut self, body: &mut Body) -> Parsed<BlockCall> {
        let block = self.id("block")?;
        let args = match self.take_symbol('(')? {
            true => self.list(')', |this| this.operand(body))?,
            false => Vec::new(),
        };
        Ok(BlockCall {
            block,
            args: args.into(),
        })
    }

    /// `, align 8`
    fn align(&mut self) -> Parsed<u32> {
        self.symbol(',')?;
        self.word("align")?;
        self.number("an alignment")
    }

    fn operands<const N: usize>(&mut self, body: &mut Body) -> Parsed<[Value; N]> {
        let mut args = [Value::from_u32(0); N];
        for (index, arg) in args.iter_mut().enumerate() {
            if index > 0 {
                self.symbol(',')?;
            }
            *arg = self.operand(body)?;
        }
        Ok(args)
    }

    fn at_operand(&self) -> bool {
        // A value followed by a colon would be the result of the next instruction.
        match self.peek_id::<Value>("v") {
            Some(_) => !matches!(self.look_ahead().next(), Ok((Token::Symbol(':'), _))),
            None => self.at_constant(),
        }
    }

    fn name<T>(&mut self, what: &str, from_name: impl Fn(&str) -> Option<T>) -> Parsed<T> {
        let named = match self.token {
            Token::Word(word) => from_name(word),
            _ => None,
        };
        match named {
            Some(named) => {
                self.advance()?;
                Ok(named)
            }
            None => Err(self.expected(what)),
        }
    }
}
