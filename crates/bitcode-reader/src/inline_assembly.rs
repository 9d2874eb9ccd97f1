//! Inline assembly: the handful of templates that C libraries and Rust's standard
//! library use on x86-64. Anything else is `Unsupported`.

use crate::function::FunctionReader;
use crate::llvm;
use crate::shape::Shape;
use program_ir::{AtomicRmwOp, BinaryOp, Constant, InstData, Type, UnaryOp, Value};

impl FunctionReader<'_, '_> {
    pub(crate) fn read_assembly(&mut self, call: llvm::Value) -> Vec<Value> {
        let (template, constraints) = call.called_value().inline_assembly();
        let shape = self.shape(call.ty());
        let plain = normalise(&template);
        let translated = if shape.problem.is_some() {
            None
        } else {
            let operands = parse_constraints(&constraints);
            self.known_assembly(call, &plain, &operands, &shape)
        };
        translated.unwrap_or_else(|| {
            let what = format!("inline assembly `{}`", plain.trim());
            self.unsupported(what, &shape.scalars)
        })
    }

    fn known_assembly(
        &mut self,
        call: llvm::Value,
        plain: &str,
        operands: &[Operand],
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        let argument = |number: usize| Some(call.argument(operands.get(number)?.argument?));
        Some(match plain {
            "" => self.empty_template(call, operands, shape),
            "syscall" => self.syscall(call, operands, shape)?,
            "mov %fs:0,$0" | "movq %fs:0,$0" | "mov %fs:0x0,$0" => {
                let pointer = self.emit_one(InstData::ThreadPointer, Type::Ptr);
                match *shape.scalars.first()? {
                    Type::Ptr => vec![pointer],
                    other => {
                        let int = self.as_int(pointer);
                        vec![self.int_as(int, other)]
                    }
                }
            }
            "pause" | "rep;nop" | "nop" => Vec::new(),
            "mfence" | "lfence" | "sfence" => self.emit_all(InstData::Fence, &[]),
            "hlt" | "ud2" | "int3" | "int $$3" => self.trap(),
            "lock;cmpxchg $3,$1" => {
                let address = self.scalar_operand(argument(1)?);
                let expected = self.scalar_operand(argument(2)?);
                let replacement = self.scalar_operand(argument(3)?);
                let ty = self.ty(expected);
                let data = InstData::CompareExchange {
                    address,
                    expected,
                    replacement,
                };
                vec![self.emit_all(data, &[ty, Type::I1])[0]]
            }
            "xchg $0,$1" => self.exchange(call, operands, AtomicRmwOp::Exchange)?,
            "lock;xadd $0,$1" => self.exchange(call, operands, AtomicRmwOp::Add)?,
            "lock;and $1,$0" | "lock;andl $1,$0" | "lock;andq $1,$0" => {
                self.update(argument(0)?, argument(1)?, AtomicRmwOp::And)
            }
            "lock;or $1,$0" | "lock;orl $1,$0" | "lock;orq $1,$0" => {
                self.update(argument(0)?, argument(1)?, AtomicRmwOp::Or)
            }
            "lock;incl $0" => self.increment(argument(0)?, 1),
            "lock;decl $0" => self.increment(argument(0)?, u128::MAX),
            "mov $1,$0;lock;orl $$0,(%rsp)" => {
                let data = InstData::Store {
                    address: self.scalar_operand(argument(0)?),
                    value: self.scalar_operand(argument(1)?),
                    align: 1,
                    volatile: true,
                };
                self.emit_all(data, &[])
            }
            "bsf $1,$0" => {
                let arg = self.scalar_operand(argument(1)?);
                vec![self.unary(UnaryOp::TrailingZeros, arg)]
            }
            "bsr $1,$0;xor $$63,$0" => {
                let arg = self.scalar_operand(argument(1)?);
                vec![self.unary(UnaryOp::LeadingZeros, arg)]
            }
            "bsr $1,$0" => {
                let arg = self.scalar_operand(argument(1)?);
                let ty = self.ty(arg);
                let zeros = self.unary(UnaryOp::LeadingZeros, arg);
                let top = self.constant(ty, u128::from(ty.bits() - 1));
                vec![self.binary(BinaryOp::Sub, top, zeros)]
            }
            "bswap $0" | "bswapl $0" | "bswapq $0" => {
                let input = operands.iter().find(|input| input.tied == Some(0))?;
                let arg = self.scalar_operand(call.argument(input.argument?));
                vec![self.unary(UnaryOp::ByteSwap, arg)]
            }
            _ if is_cpuid(plain) => self.cpuid(call, operands, shape)?,
            _ => return None,
        })
    }

    /// Outputs take the inputs they are tied to; compilers use this to hide a value
    /// from the optimiser.
    fn empty_template(
        &mut self,
        call: llvm::Value,
        operands: &[Operand],
        shape: &Shape,
    ) -> Vec<Value> {
        let outputs = operands
            .iter()
            .enumerate()
            .filter(|(_, operand)| operand.output && operand.argument.is_none());
        let tied: Vec<Option<u32>> = outputs
            .map(|(number, _)| {
                let input = operands.iter().find(|input| input.tied == Some(number));
                input.and_then(|input| input.argument)
            })
            .collect();
        let mut results = Vec::new();
        for argument in tied {
            match argument {
                Some(argument) => {
                    for value in self.operand(call.argument(argument)) {
                        let wanted = shape.scalars.get(results.len()).copied();
                        results.push(self.in_register_of(value, wanted));
                    }
                }
                None => match shape.scalars.get(results.len()) {
                    Some(&ty) => results.push(self.constant_of(ty, Constant::Undef)),
                    None => break,
                },
            }
        }
        results
    }

    /// A register has no type: a pointer that goes in may come out as a number.
    fn in_register_of(&mut self, value: Value, wanted: Option<Type>) -> Value {
        match wanted {
            Some(ty) if ty != self.ty(value) => {
                let int = self.as_int(value);
                let int = self.resize(int, Type::Int(ty.bits() as u8), false);
                self.int_as(int, ty)
            }
            _ => value,
        }
    }

    fn syscall(
        &mut self,
        call: llvm::Value,
        operands: &[Operand],
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        const REGISTERS: [&str; 7] = ["ax", "di", "si", "dx", "r10", "r8", "r9"];
        let zero = self.constant(Type::I64, 0);
        let mut args = [zero; 7];
        for (register, arg) in REGISTERS.iter().zip(&mut args) {
            if let Some(number) = input_in(operands, register) {
                let value = self.scalar_operand(call.argument(number));
                let int = self.as_int(value);
                *arg = self.resize(int, Type::I64, true);
            }
        }
        input_in(operands, "ax")?;
        let result = self.emit_one(InstData::Syscall { args }, Type::I64);
        let outputs = operands
            .iter()
            .filter(|operand| operand.output && operand.argument.is_none());
        // Besides the result in rax, Rust names the registers that a call destroys.
        let registers: Vec<bool> = outputs.map(|output| output.is_in("ax")).collect();
        let mut results = Vec::new();
        for (&ty, is_result) in shape.scalars.iter().zip(registers) {
            results.push(match is_result {
                true => {
                    let sized = self.resize(result, Type::Int(ty.bits() as u8), false);
                    self.int_as(sized, ty)
                }
                false => self.constant_of(ty, Constant::Undef),
            });
        }
        Some(results)
    }

    fn cpuid(
        &mut self,
        call: llvm::Value,
        operands: &[Operand],
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        let input = |this: &mut Self, register| match input_in(operands, register) {
            Some(number) => {
                let value = this.scalar_operand(call.argument(number));
                this.resize(value, Type::I32, false)
            }
            None => this.constant(Type::I32, 0),
        };
        let (leaf, subleaf) = (input(self, "ax"), input(self, "cx"));
        let all = self.emit_all(InstData::Cpuid { leaf, subleaf }, &[Type::I32; 4]);
        let outputs = operands
            .iter()
            .filter(|operand| operand.output && operand.argument.is_none());
        // ebx is reserved by the compiler, so it comes in a register of its choice.
        let order: Vec<usize> = outputs
            .map(|output| match () {
                () if output.is_in("ax") => 0,
                () if output.is_in("cx") => 2,
                () if output.is_in("dx") => 3,
                () => 1,
            })
            .collect();
        let results = shape
            .scalars
            .iter()
            .zip(order)
            .map(|(&ty, index)| self.resize(all[index], ty, false));
        Some(results.collect())
    }

    /// `xchg` and `xadd`: operand 0 is a register tied to an input, operand 1 memory.
    fn exchange(
        &mut self,
        call: llvm::Value,
        operands: &[Operand],
        op: AtomicRmwOp,
    ) -> Option<Vec<Value>> {
        let address = self.scalar_operand(call.argument(operands.get(1)?.argument?));
        let input = operands.iter().find(|input| input.tied == Some(0))?;
        let value = self.scalar_operand(call.argument(input.argument?));
        let ty = self.ty(value);
        Some(self.emit_all(InstData::AtomicRmw { op, address, value }, &[ty]))
    }

    fn update(&mut self, address: llvm::Value, value: llvm::Value, op: AtomicRmwOp) -> Vec<Value> {
        let address = self.scalar_operand(address);
        let value = self.scalar_operand(value);
        let ty = self.ty(value);
        self.emit(InstData::AtomicRmw { op, address, value }, &[ty]);
        Vec::new()
    }

    fn increment(&mut self, address: llvm::Value, by: u128) -> Vec<Value> {
        let address = self.scalar_operand(address);
        let value = self.constant(Type::I32, by);
        let op = AtomicRmwOp::Add;
        self.emit(InstData::AtomicRmw { op, address, value }, &[Type::I32]);
        Vec::new()
    }
}

#[derive(Debug, PartialEq)]
struct Operand {
    output: bool,
    /// The call's argument that it is; direct outputs are results instead.
    argument: Option<u32>,
    /// The output whose place an input shares.
    tied: Option<usize>,
    /// `ax` for `{ax}`, `{eax}` and `{rax}`.
    register: Option<String>,
}

impl Operand {
    fn is_in(&self, register: &str) -> bool {
        self.register.as_deref() == Some(register)
    }
}

fn parse_constraints(constraints: &str) -> Vec<Operand> {
    let mut operands = Vec::new();
    let mut arguments = 0;
    for constraint in constraints.split(',') {
        if constraint.is_empty() || constraint.starts_with('~') || constraint.starts_with('!') {
            continue;
        }
        let output = constraint.starts_with('=');
        let body = constraint.trim_start_matches(['=', '&', '%']);
        let indirect = body.starts_with('*');
        let argument = (!output || indirect).then_some(arguments);
        arguments += u32::from(argument.is_some());
        operands.push(Operand {
            output,
            argument,
            tied: body.parse().ok().filter(|_| !output),
            register: register(body),
        });
    }
    operands
}

fn register(constraint: &str) -> Option<String> {
    let name = constraint.strip_prefix('{')?.strip_suffix('}')?;
    let short = match name.len() {
        3 if name.ends_with('x') || name.ends_with('i') => &name[1..],
        _ => name,
    };
    Some(short.to_owned())
}

/// The argument that is passed in `register`, by itself or tied to an output there.
fn input_in(operands: &[Operand], register: &str) -> Option<u32> {
    let input = operands.iter().find(|operand| {
        !operand.output
            && (operand.is_in(register)
                || operand
                    .tied
                    .and_then(|tied| operands.get(tied))
                    .is_some_and(|output| output.is_in(register)))
    })?;
    input.argument
}

/// One spelling for all spacings: `lock ; xadd $0, $1` is `lock;xadd $0,$1`.
fn normalise(template: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in template.split(['\n', ';']) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ").replace(", ", ",").replace(" ,", ",");
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines.join(";").replace("%%", "%")
}

/// `cpuid`, perhaps between moves that save and restore rbx.
fn is_cpuid(plain: &str) -> bool {
    let mut found = false;
    plain.split(';').all(|line| {
        found |= line == "cpuid";
        line == "cpuid"
            || (line.contains("bx") && (line.starts_with("mov") || line.starts_with("xchg")))
    }) && found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_does_not_matter() {
        assert_eq!(normalise("lock ; xadd $0, $1"), "lock;xadd $0,$1");
        assert_eq!(normalise("\tpause\n"), "pause");
    }

    #[test]
    fn registers_are_found_directly_and_through_ties() {
        let musl = parse_constraints("={ax},{ax},{di},~{rcx},~{memory}");
        assert_eq!(input_in(&musl, "ax"), Some(0));
        assert_eq!(input_in(&musl, "di"), Some(1));
        assert_eq!(input_in(&musl, "si"), None);
        let rust = parse_constraints("=&{rax},=&{rcx},0,{rdi}");
        assert_eq!(input_in(&rust, "ax"), Some(0));
        assert_eq!(input_in(&rust, "di"), Some(1));
    }

    #[test]
    fn cpuid_is_recognised_in_both_compilers_spellings() {
        assert!(is_cpuid(&normalise(
            "  xchgq  %rbx,${1:q}\n  cpuid\n  xchgq  %rbx,${1:q}"
        )));
        assert!(is_cpuid(&normalise(
            "movq %rbx, ${0:q}\ncpuid\nxchgq %rbx, ${0:q}"
        )));
        assert!(!is_cpuid("xgetbv"));
    }
}
