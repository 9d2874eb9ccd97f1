//! Printing instructions and their operands.

use super::print::{Quoted, separated, write_reference, write_types};
use crate::{
    ArithFlags, BlockCall, CallData, Callee, Constant, Func, Function, Global, InstData, InstNode,
    Module, SecondaryMap, Type, Value, ValueData, ValueDef,
};
use std::collections::HashSet;
use std::fmt::{self, Display, Formatter, Write};

pub(super) struct FunctionPrinter<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    /// Constants that are spelled out where they are used.
    inline: SecondaryMap<Value, bool>,
}

impl<'a> FunctionPrinter<'a> {
    pub(super) fn new(module: &'a Module, function: &'a Function) -> Self {
        let mut seen = HashSet::new();
        let mut inline = SecondaryMap::new();
        for (value, data) in function.values.iter() {
            if let ValueDef::Constant(constant) = data.def {
                inline[value] = seen.insert((data.ty, constant));
            }
        }
        FunctionPrinter {
            module,
            function,
            inline,
        }
    }

    pub(super) fn write_operand(&self, f: &mut Formatter<'_>, value: Value) -> fmt::Result {
        match self.function.values.get(value) {
            Some(&ValueData {
                ty,
                def: ValueDef::Constant(constant),
            }) if self.inline[value] => self.write_constant(f, ty, constant),
            _ => write!(f, "{value}"),
        }
    }

    pub(super) fn write_constant(
        &self,
        f: &mut Formatter<'_>,
        ty: Type,
        constant: Constant,
    ) -> fmt::Result {
        write_constant(f, self.module, ty, constant)
    }

    /// A block parameter or result, with its type.
    pub(super) fn write_definition(&self, f: &mut Formatter<'_>, value: Value) -> fmt::Result {
        match self.function.values.get(value) {
            Some(data) => write!(f, "{value}: {}", data.ty),
            None => write!(f, "{value}: ?"),
        }
    }

    pub(super) fn write_inst(&self, f: &mut Formatter<'_>, node: &InstNode) -> fmt::Result {
        if let Some(first) = node.first_result
            && node.result_count > 0
        {
            let first = first.as_u32();
            let last = first.saturating_add(u32::from(node.result_count) - 1);
            for index in first..=last {
                if index > first {
                    f.write_str(", ")?;
                }
                if index == u32::MAX {
                    return f.write_str("?");
                }
                self.write_definition(f, Value::from_u32(index))?;
            }
            f.write_str(" = ")?;
        }
        self.write_data(f, &node.data)
    }

    fn write_data(&self, f: &mut Formatter<'_>, data: &InstData) -> fmt::Result {
        match data {
            InstData::Unary { op, arg } => self.write_operation(f, op.name(), &[*arg]),
            InstData::Binary { op, flags, args } => {
                let ArithFlags {
                    no_signed_wrap,
                    no_unsigned_wrap,
                    exact,
                } = *flags;
                f.write_str(op.name())?;
                write_flag(f, no_signed_wrap, "nsw")?;
                write_flag(f, no_unsigned_wrap, "nuw")?;
                write_flag(f, exact, "exact")?;
                self.write_operation(f, "", args)
            }
            InstData::Ternary { op, args } => self.write_operation(f, op.name(), args),
            InstData::Overflow { op, args } => self.write_operation(f, op.name(), args),
            InstData::IntCompare { predicate, args } => {
                f.write_str("icmp ")?;
                self.write_operation(f, predicate.name(), args)
            }
            InstData::FloatCompare { predicate, args } => {
                f.write_str("fcmp ")?;
                self.write_operation(f, predicate.name(), args)
            }
            InstData::FloatClass { mask, arg } => {
                write!(f, "float_class {mask:#x}")?;
                self.write_operation(f, "", &[*arg])
            }
            InstData::Cast { op, arg } => self.write_operation(f, op.name(), &[*arg]),
            InstData::PtrAdd {
                base,
                offset,
                terms,
                inbounds,
            } => {
                f.write_str("ptr_add")?;
                write_flag(f, *inbounds, "inbounds")?;
                self.write_operation(f, "", &[*base])?;
                write!(f, ", {offset}")?;
                for term in terms {
                    f.write_str(", ")?;
                    self.write_operand(f, term.index)?;
                    write!(f, " * {}", term.scale)?;
                }
                Ok(())
            }
            InstData::Alloca {
                count,
                element_size,
                align,
            } => {
                self.write_operation(f, "alloca", &[*count])?;
                write!(f, ", size {element_size}, align {align}")
            }
            InstData::StackSave => f.write_str("stack_save"),
            InstData::StackRestore { token } => self.write_operation(f, "stack_restore", &[*token]),
            InstData::Load {
                address,
                align,
                volatile,
            } => {
                f.write_str("load")?;
                write_flag(f, *volatile, "volatile")?;
                self.write_operation(f, "", &[*address])?;
                write!(f, ", align {align}")
            }
            InstData::Store {
                address,
                value,
                align,
                volatile,
            } => {
                f.write_str("store")?;
                write_flag(f, *volatile, "volatile")?;
                self.write_operation(f, "", &[*value])?;
                self.write_operation(f, " to", &[*address])?;
                write!(f, ", align {align}")
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                may_overlap,
            } => {
                let name = if *may_overlap { "mem_move" } else { "mem_copy" };
                self.write_operation(f, name, &[*destination, *source, *length])
            }
            InstData::MemSet {
                destination,
                byte,
                length,
            } => self.write_operation(f, "mem_set", &[*destination, *byte, *length]),
            InstData::AtomicRmw { op, address, value } => {
                f.write_str("atomic_rmw ")?;
                self.write_operation(f, op.name(), &[*address, *value])
            }
            InstData::CompareExchange {
                address,
                expected,
                replacement,
            } => {
                let args = [*address, *expected, *replacement];
                self.write_operation(f, "compare_exchange", &args)
            }
            InstData::Fence => f.write_str("fence"),
            InstData::Call(call) => {
                f.write_str("call ")?;
                self.write_call(f, call)
            }
            InstData::VaStart { list } => self.write_operation(f, "va_start", &[*list]),
            InstData::VaCopy {
                destination,
                source,
            } => self.write_operation(f, "va_copy", &[*destination, *source]),
            InstData::VaEnd { list } => self.write_operation(f, "va_end", &[*list]),
            InstData::Syscall { args } => self.write_operation(f, "syscall", args),
            InstData::ThreadPointer => f.write_str("thread_pointer"),
            InstData::Cpuid { leaf, subleaf } => {
                self.write_operation(f, "cpuid", &[*leaf, *subleaf])
            }
            InstData::LandingPad => f.write_str("landing_pad"),
            InstData::Unsupported { what, operands } => {
                write!(f, "unsupported {} {}", Quoted(what), Quoted(operands))
            }
            InstData::Jump(target) => {
                f.write_str("jump ")?;
                self.write_edge(f, target)
            }
            InstData::Branch {
                condition,
                then,
                otherwise,
            } => {
                self.write_operation(f, "branch", &[*condition])?;
                f.write_str(", ")?;
                self.write_edge(f, then)?;
                f.write_str(", ")?;
                self.write_edge(f, otherwise)
            }
            InstData::Switch {
                arg,
                cases,
                default,
            } => {
                self.write_operation(f, "switch", &[*arg])?;
                f.write_str(" {")?;
                for (bits, edge) in cases {
                    write!(f, " {bits}: ")?;
                    self.write_edge(f, edge)?;
                    f.write_char(',')?;
                }
                f.write_str(" default: ")?;
                self.write_edge(f, default)?;
                f.write_str(" }")
            }
            InstData::IndirectJump { address, targets } => {
                self.write_operation(f, "indirect_jump", &[*address])?;
                f.write_str(" [")?;
                separated(f, targets, |f, edge| self.write_edge(f, edge))?;
                f.write_char(']')
            }
            InstData::Return { values } => self.write_operation(f, "return", values),
            InstData::Invoke {
                call,
                normal,
                unwind,
            } => {
                f.write_str("invoke ")?;
                self.write_call(f, call)?;
                f.write_str(" to ")?;
                self.write_edge(f, normal)?;
                f.write_str(" unwind ")?;
                self.write_edge(f, unwind)
            }
            InstData::Resume => f.write_str("resume"),
            InstData::Unreachable => f.write_str("unreachable"),
            InstData::Trap => f.write_str("trap"),
            InstData::UnsupportedTerminator { what, operands } => write!(
                f,
                "unsupported_terminator {} {}",
                Quoted(what),
                Quoted(operands)
            ),
        }
    }

    /// A mnemonic (or the rest of one) and operands.
    fn write_operation(&self, f: &mut Formatter<'_>, name: &str, args: &[Value]) -> fmt::Result {
        f.write_str(name)?;
        if !args.is_empty() {
            f.write_char(' ')?;
        }
        separated(f, args, |f, &arg| self.write_operand(f, arg))
    }

    fn write_edge(&self, f: &mut Formatter<'_>, edge: &BlockCall) -> fmt::Result {
        write!(f, "{}", edge.block)?;
        if edge.args.is_empty() {
            return Ok(());
        }
        f.write_char('(')?;
        separated(f, &edge.args, |f, &arg| self.write_operand(f, arg))?;
        f.write_char(')')
    }

    fn write_call(&self, f: &mut Formatter<'_>, call: &CallData) -> fmt::Result {
        match call.callee {
            Callee::Direct(func) => write_function_reference(f, self.module, func)?,
            Callee::Indirect(target) => self.write_operand(f, target)?,
        }
        f.write_char('(')?;
        let fixed = call.fixed_args as usize;
        for (index, &arg) in call.args.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            if index == fixed {
                f.write_str("... ")?;
            }
            self.write_operand(f, arg)?;
        }
        f.write_char(')')?;
        if fixed > call.args.len() {
            write!(f, " fixed {fixed}")?;
        }
        if !call.returns.is_empty() {
            f.write_str(" -> (")?;
            write_types(f, &call.returns)?;
            f.write_char(')')?;
        }
        if !call.by_val.is_empty() {
            f.write_str(" by_val (")?;
            separated(f, &call.by_val, |f, by_val| {
                let (arg, size, align) = (by_val.arg, by_val.size, by_val.align);
                write!(f, "{arg}: size {size} align {align}")
            })?;
            f.write_char(')')?;
        }
        Ok(())
    }
}

fn write_flag(f: &mut Formatter<'_>, set: bool, name: &str) -> fmt::Result {
    match set {
        true => write!(f, " {name}"),
        false => Ok(()),
    }
}

pub(super) fn write_constant(
    f: &mut Formatter<'_>,
    module: &Module,
    ty: Type,
    constant: Constant,
) -> fmt::Result {
    let is_address = !matches!(constant, Constant::Bits(_) | Constant::Undef);
    if !is_address || ty != Type::Ptr {
        write!(f, "{ty} ")?;
    }
    match constant {
        Constant::Bits(bits) => write_bits(f, ty, bits),
        Constant::Undef => f.write_str("undef"),
        Constant::GlobalAddress { global, offset } => {
            f.write_char('@')?;
            write_global_reference(f, module, global)?;
            match offset {
                0 => Ok(()),
                _ => write!(f, "{offset:+}"),
            }
        }
        Constant::FunctionAddress(func) => {
            f.write_char('&')?;
            write_function_reference(f, module, func)
        }
        Constant::BlockAddress { func, block } => {
            f.write_char('&')?;
            write_function_reference(f, module, func)?;
            write!(f, "/{block}")
        }
    }
}

fn write_bits(f: &mut Formatter<'_>, ty: Type, bits: u128) -> fmt::Result {
    match ty {
        Type::Ptr if bits == 0 => f.write_str("null"),
        Type::Int(1) if bits < 2 => write!(f, "{bits}"),
        Type::Int(width @ 1..=128) if width == 128 || bits >> width == 0 => {
            let unused = 128 - u32::from(width);
            write!(f, "{}", (bits << unused) as i128 >> unused)
        }
        Type::F32 if u32::try_from(bits).is_ok_and(|bits| f32::from_bits(bits).is_finite()) => {
            write!(f, "{:?}", f32::from_bits(bits as u32))
        }
        Type::F64 if u64::try_from(bits).is_ok_and(|bits| f64::from_bits(bits).is_finite()) => {
            write!(f, "{:?}", f64::from_bits(bits as u64))
        }
        _ => write!(f, "{bits:#x}"),
    }
}

fn write_function_reference(f: &mut Formatter<'_>, module: &Module, func: Func) -> fmt::Result {
    let name = module.functions.get(func).map(|data| data.name.as_str());
    write_reference(f, func, name)
}

fn write_global_reference(f: &mut Formatter<'_>, module: &Module, global: Global) -> fmt::Result {
    let name = module.globals.get(global).map(|data| data.name.as_str());
    write_reference(f, global, name)
}

/// A symbol name: bare where the lexer reads it back as one word, else quoted.
pub(super) fn name_of(name: &str) -> impl Display + '_ {
    struct Name<'a>(&'a str);
    impl Display for Name<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            match super::lex::is_word(self.0) {
                true => f.write_str(self.0),
                false => Quoted(self.0).fmt(f),
            }
        }
    }
    Name(name)
}
