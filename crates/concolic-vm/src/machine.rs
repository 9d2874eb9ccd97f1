//! The state of a running process, and what surrounds the stepping loop: calls,
//! frames, system calls, reports. The loop itself is in [`crate::step`].
//!
//! A machine is `Clone`: a clone is a snapshot from which a run can be repeated.

mod call;

use crate::linux::{HandlerCall, Kernel, Signal, SyscallResult};
use crate::memory::{Access, Address, Fault, FaultReason, Memory, ObjectKind, object_of};
use crate::monitor::{At, Monitor, Unobserved};
use crate::op::Code;
use crate::outcome::{End, Limit, MemoryError, ObjectDescription, Outcome, StackFrame};
use crate::program::Program;
use crate::site::CodeSite;
use program_ir::{EntityRef, Func, InstData, VariablePlace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bounds of a run. Meeting one is an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// IR instructions.
    pub steps: u64,
    /// Calls within calls.
    pub depth: u32,
    /// Bytes of local variables and of frames as natively at `-O0`, as the operating system limits a stack.
    pub stack_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: u64::MAX,
            depth: 200_000,
            stack_bytes: 8 << 20,
        }
    }
}

#[derive(Clone)]
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) memory: Memory,
    pub(crate) kernel: Kernel,
    /// The program's constants, then the frames' slots.
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) stack: Stack,
    /// Where the guest's `errno` is, once it has said so.
    pub(crate) errno_place: Address,
    pub(crate) thread_pointer: u64,
    pub(crate) instructions: u64,
    pub(crate) limits: Limits,
    /// Where the loop stops for now: `limits.steps` at most.
    pub(crate) step_limit: u64,
    pub(crate) next_serial: u64,
    pub(crate) returned: Vec<u64>,
    pub(crate) variables: Variables,
}

/// What lies on the stack beside registers.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    /// Objects of local variables, innermost last.
    pub(crate) objects: Vec<u32>,
    pub(crate) bytes: u64,
    /// What the frames of native calls would take beyond these objects.
    pub(crate) frame_bytes: u64,
    /// Objects that `va_start` made. They live as long as their function's activation, also when a
    /// block with a variable-length array around the `va_start` ends.
    pub(crate) argument_areas: Vec<u32>,
    pub(crate) varargs: Vec<VarArg>,
}

/// The variables of `parallax_symbolic`.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Variables {
    /// What it gives out, by name.
    pub(crate) values: Arc<BTreeMap<String, Vec<u8>>>,
    /// Name and size of the variables that it has given out.
    pub(crate) named: Vec<(Arc<str>, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    /// Where to go on; in the innermost frame valid only while the loop is not running.
    pub(crate) pc: u32,
    /// First slot, as an index into the registers.
    pub(crate) base: usize,
    /// Where the caller wants the results, and how many words.
    pub(crate) to: u32,
    pub(crate) result_words: u32,
    /// How many stack objects and variadic arguments there were before the call.
    pub(crate) objects: u32,
    pub(crate) varargs: u32,
    /// How many argument areas of `va_start` there were.
    pub(crate) areas: u32,
    /// Distinguishes this activation from all others.
    pub(crate) serial: u64,
    pub(crate) kind: FrameKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    Call,
    /// A signal handler: on its return the kernel is asked, with this number, how the
    /// interrupted system call goes on.
    SignalHandler(u32),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VarArg {
    pub(crate) words: [u64; 2],
    /// One term per byte, if one is symbolic.
    pub(crate) terms: Option<Box<[u32; 16]>>,
    /// One word or two.
    pub(crate) wide: bool,
    /// Begins at a multiple of 16 in the argument area.
    pub(crate) aligned: bool,
}

/// How the loop goes on after a call that is not a plain frame push.
pub(crate) enum Transfer {
    /// The call returns this word.
    Return(u64),
    /// A frame was pushed (or popped): go on in the innermost one.
    Enter,
    /// Go on behind the `setjmp` at `pc` of the innermost frame, which returns `value`.
    Resume { pc: u32, value: u64 },
}

impl<'p> Machine<'p> {
    /// A process whose first call is `entry(args…)`.
    pub fn new(
        program: &'p Program,
        kernel: Kernel,
        limits: Limits,
        entry: Func,
    ) -> Result<Machine<'p>, End> {
        let mut machine = Machine {
            program,
            memory: program.initial_memory(),
            kernel,
            registers: program.constants.clone(),
            frames: Vec::new(),
            stack: Stack::default(),
            errno_place: 0,
            thread_pointer: 0,
            instructions: 0,
            limits,
            step_limit: limits.steps,
            next_serial: 0,
            returned: Vec::new(),
            variables: Variables::default(),
        };
        let code = program
            .code(entry.as_u32())
            .ok_or_else(|| End::Unsupported {
                what: format!(
                    "'{}' is declared but not defined",
                    program.module.functions[entry].name
                ),
            })?;
        let base = machine.registers.len();
        machine.push_frame(entry.as_u32(), code, base, 0, 0, FrameKind::Call)?;
        Ok(machine)
    }

    /// Sets a parameter word of the entry function.
    pub fn set_argument(&mut self, index: usize, value: u64) {
        let base = self.frames[0].base;
        self.registers[base + index] = value;
    }

    /// The contents of the variables that the program asks for with `parallax_symbolic`.
    pub fn set_variables(&mut self, variables: BTreeMap<String, Vec<u8>>) {
        self.variables.values = Arc::new(variables);
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The words that the entry function returned, once it has.
    pub fn returned(&self) -> &[u64] {
        &self.returned
    }

    /// IR instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Outcome {
        self.step_limit = self.limits.steps;
        let end = self.step_until_end(&mut Unobserved);
        self.outcome(end)
    }

    /// Runs about `instructions` further; `None` if there is more to run. A run in
    /// slices is the same run.
    pub fn run_slice(&mut self, instructions: u64) -> Option<Outcome> {
        self.step_limit = self
            .instructions
            .saturating_add(instructions)
            .min(self.limits.steps);
        match self.step_until_end(&mut Unobserved) {
            End::StepLimit { limit } if limit < self.limits.steps => None,
            end => Some(self.outcome(end)),
        }
    }

    pub(crate) fn allocate(
        &mut self,
        kind: ObjectKind,
        size: u64,
        site: CodeSite,
    ) -> Result<Address, End> {
        self.memory
            .allocate(kind, size, site)
            .map_err(|error| End::MemoryLimit {
                requested: error.requested,
                limit: self.memory.limit(),
            })
    }

    // Frames.

    pub(crate) fn push_frame(
        &mut self,
        function: u32,
        code: &Code,
        base: usize,
        to: u32,
        result_words: u32,
        kind: FrameKind,
    ) -> Result<(), End> {
        if self.frames.len() >= self.limits.depth as usize {
            return Err(End::StackOverflow {
                limit: Limit::Calls(self.limits.depth),
            });
        }
        self.stack.frame_bytes += u64::from(code.frame_bytes);
        if self.stack.bytes + self.stack.frame_bytes > self.limits.stack_bytes {
            return Err(self.stack_overflow());
        }
        let needed = base + code.slots as usize;
        if self.registers.len() < needed {
            self.registers.resize((needed * 2).max(1 << 12), 0);
        }
        self.next_serial += 1;
        self.frames.push(Frame {
            function,
            pc: 0,
            base,
            to,
            result_words,
            objects: self.stack.objects.len() as u32,
            varargs: self.stack.varargs.len() as u32,
            areas: self.stack.argument_areas.len() as u32,
            serial: self.next_serial,
            kind,
        });
        Ok(())
    }

    /// Pops the innermost frame and ends its local variables.
    pub(crate) fn end_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a frame to end");
        let code = self.program.code(frame.function).expect("a frame has code");
        self.stack.frame_bytes -= u64::from(code.frame_bytes);
        let site = CodeSite {
            function: frame.function,
            pc: frame.pc,
        };
        if self.stack.objects.len() > frame.objects as usize {
            self.end_stack_objects(frame.objects as usize, site);
        }
        if self.stack.varargs.len() > frame.varargs as usize {
            self.stack.varargs.truncate(frame.varargs as usize);
        }
        while self.stack.argument_areas.len() > frame.areas as usize {
            let id = self.stack.argument_areas.pop().expect("counted");
            self.end_stack_object(id, site);
        }
        frame
    }

    pub(crate) fn end_stack_objects(&mut self, down_to: usize, site: CodeSite) {
        while self.stack.objects.len() > down_to {
            let id = self.stack.objects.pop().expect("counted");
            self.end_stack_object(id, site);
        }
    }

    fn end_stack_object(&mut self, id: u32, site: CodeSite) {
        let size = self.memory.info(id).map_or(0, |info| info.size);
        self.stack.bytes -= u64::from(size);
        self.memory.end(id, site);
    }

    fn stack_overflow(&self) -> End {
        End::StackOverflow {
            limit: Limit::StackBytes(self.limits.stack_bytes),
        }
    }

    pub(crate) fn stack_object(&mut self, size: u64, site: CodeSite) -> Result<Address, End> {
        let taken = self.stack.bytes + self.stack.frame_bytes;
        if taken.saturating_add(size) > self.limits.stack_bytes {
            return Err(self.stack_overflow());
        }
        let address = self.allocate(ObjectKind::Stack, size, site)?;
        self.stack.objects.push(object_of(address));
        self.stack.bytes += size;
        Ok(address)
    }

    /// `va_start`. The System V argument list says that all register arguments are
    /// used up, so that every argument is taken from the overflow area.
    pub(crate) fn va_start(&mut self, list: Address, site: CodeSite) -> Result<(), End> {
        let start = self.frames.last().expect("a frame").varargs as usize;
        let mut area: Vec<u8> = Vec::new();
        let mut terms: Vec<u32> = Vec::new();
        for arg in &self.stack.varargs[start..] {
            if arg.aligned {
                area.resize(area.len().next_multiple_of(16), 0);
            }
            terms.resize(area.len(), 0);
            area.extend_from_slice(&arg.words[0].to_le_bytes());
            if arg.wide {
                area.extend_from_slice(&arg.words[1].to_le_bytes());
            }
            if let Some(symbolic) = &arg.terms {
                terms.extend_from_slice(&symbolic[..if arg.wide { 16 } else { 8 }]);
            }
        }
        // Libc reads optional arguments (of `open`, `fcntl`, `syscall`) whether they were passed or
        // not; the registers that would carry the first six always hold something.
        area.resize(area.len().max(REGISTER_ARGUMENTS * 8), 0);
        let overflow = self.stack_object(area.len() as u64, site)?;
        self.stack.argument_areas.extend(self.stack.objects.pop());
        self.memory.initialise(overflow, &area);
        self.memory.set_terms(overflow, &terms);
        let mut record = [0; 24];
        record[0..4].copy_from_slice(&48u32.to_le_bytes());
        record[4..8].copy_from_slice(&176u32.to_le_bytes());
        record[8..16].copy_from_slice(&overflow.to_le_bytes());
        self.memory
            .write_bytes(list, &record)
            .map_err(|fault| self.memory_error(fault))
    }

    // The kernel.

    pub(crate) fn syscall<M: Monitor>(
        &mut self,
        words: [u64; 7],
        at: At,
        monitor: &mut M,
    ) -> Result<Transfer, End> {
        let args = [words[1], words[2], words[3], words[4], words[5], words[6]];
        let result = self.kernel.syscall(&mut self.memory, words[0], args);
        self.after_syscall(result, at, monitor)
    }

    pub(crate) fn after_syscall<M: Monitor>(
        &mut self,
        result: SyscallResult,
        at: At,
        monitor: &mut M,
    ) -> Result<Transfer, End> {
        monitor.after_syscall(self, at);
        match result {
            SyscallResult::Return(value) => Ok(Transfer::Return(value as u64)),
            SyscallResult::SetThreadPointer(pointer) => {
                self.thread_pointer = pointer;
                Ok(Transfer::Return(0))
            }
            SyscallResult::Exit(status) => Err(End::Exit {
                status: status & 0xff,
            }),
            SyscallResult::Killed(signal) => Err(self.killed(signal)),
            SyscallResult::Unsupported(what) => Err(End::Unsupported { what }),
            SyscallResult::RunHandler(call) => self.run_handler(&call, monitor),
            SyscallResult::Fault {
                address,
                length,
                write,
            } => {
                let fault = Fault {
                    access: if write { Access::Write } else { Access::Read },
                    address,
                    size: length,
                };
                match self.memory.explain(&fault) {
                    // A pointer that no object has is an error the kernel reports.
                    FaultReason::Null | FaultReason::Wild | FaultReason::ReadOnly => {
                        Ok(Transfer::Return(-14i64 as u64))
                    }
                    _ => Err(self.memory_error(fault)),
                }
            }
        }
    }

    fn run_handler<M: Monitor>(
        &mut self,
        call: &HandlerCall,
        monitor: &mut M,
    ) -> Result<Transfer, End> {
        let address = call.handler;
        let Some(function) = self.memory.function_at(address) else {
            return Err(self.memory_error(Fault {
                access: Access::Call,
                address,
                size: 0,
            }));
        };
        let program = self.program;
        let Some(code) = program.code(function) else {
            return Err(End::Unsupported {
                what: "a signal handler that is not defined in the program".into(),
            });
        };
        let caller = *self.frames.last().expect("a caller");
        let caller_code = program
            .code(caller.function)
            .expect("the caller is running");
        let base = caller.base + caller_code.slots as usize;
        self.push_frame(
            function,
            code,
            base,
            0,
            0,
            FrameKind::SignalHandler(call.frame),
        )?;
        let mut words = call.arguments.to_vec();
        words.resize(code.param_words as usize, 0);
        self.registers[base..base + words.len()].copy_from_slice(&words);
        monitor.goes_to(self, function, 0);
        monitor.words_set(self, base, &vec![0; words.len()]);
        Ok(Transfer::Enter)
    }

    fn killed(&self, signal: Signal) -> End {
        let on_stack = |wanted: &dyn Fn(&str) -> bool| {
            self.frames.iter().any(|frame| {
                wanted(&self.program.module.functions[Func::new(frame.function as usize)].name)
            })
        };
        if signal != Signal::SIGABRT {
            End::Killed { signal }
        } else if on_stack(&|name| name == "__assert_fail") {
            End::Assert
        } else if on_stack(&is_panic_machinery) {
            End::Panic
        } else {
            End::Abort
        }
    }

    // Reports.

    pub(crate) fn memory_error(&self, fault: Fault) -> End {
        let reason = self.memory.explain(&fault);
        let object = match reason {
            FaultReason::Null | FaultReason::Wild => None,
            _ => self.describe_object(fault.address),
        };
        End::Memory(Box::new(MemoryError {
            reason,
            access: fault.access,
            address: fault.address,
            size: fault.size,
            object,
        }))
    }

    fn describe_object(&self, address: Address) -> Option<ObjectDescription> {
        let (id, offset) = self.memory.intended(address);
        let info = self.memory.info(id)?;
        let what = match info.kind {
            ObjectKind::Null | ObjectKind::Function => return None,
            ObjectKind::Global(index) => {
                let data = &self.program.module.globals[program_ir::Global::from_u32(index)];
                match &data.info {
                    Some(source) => format!("global '{}'", source.name),
                    None if data.constant => "a constant".to_string(),
                    None => format!("global '{}'", data.name),
                }
            }
            ObjectKind::Heap => "a heap block".to_string(),
            ObjectKind::Mapping => "a memory mapping".to_string(),
            ObjectKind::Stack => match self.variable_made_at(info.born) {
                Some(name) => format!("variable '{name}'"),
                None => "a local variable".to_string(),
            },
        };
        Some(ObjectDescription {
            kind: info.kind,
            what,
            size: u64::from(info.size),
            offset,
            made_at: self.program.source_frame(info.born),
            ended_at: self.program.source_frame(info.died),
        })
    }

    /// The source variable that the `alloca` at `site` holds.
    pub(crate) fn variable_made_at(&self, site: CodeSite) -> Option<&str> {
        if site == CodeSite::NONE {
            return None;
        }
        let function = &self.program.module.functions[Func::new(site.function as usize)];
        let inst = self.program.inst_at(site)?;
        let node = &function.insts[inst];
        if !matches!(node.data, InstData::Alloca { .. }) {
            return None;
        }
        let result = node.first_result?;
        function
            .bindings
            .iter()
            .find(
                |binding| matches!(binding.place, VariablePlace::Memory(value) if value == result),
            )
            .map(|binding| function.variables[binding.variable].name.as_str())
    }

    /// Whether the operation at `site` makes a local variable.
    pub(crate) fn is_alloca(&self, site: CodeSite) -> bool {
        let function = &self.program.module.functions[Func::new(site.function as usize)];
        let inst = self.program.inst_at(site);
        inst.is_some_and(|inst| matches!(function.insts[inst].data, InstData::Alloca { .. }))
    }

    /// The innermost call under way in the program's own code, for an operation that is being executed.
    pub(crate) fn own_frame(&self, at: At) -> Option<StackFrame> {
        let innermost = self.frames.len() - 1;
        let mut sites = self.frames.iter().enumerate().rev().map(|(depth, frame)| {
            match depth == innermost {
                true => at.site(),
                // Outer frames stand behind their call.
                false => CodeSite {
                    function: frame.function,
                    pc: frame.pc - 1,
                },
            }
        });
        sites.find_map(|site| {
            let frames = self.program.source_frames(site).into_iter();
            let mut own = frames.filter(|frame| frame.file.is_some() && frame.is_programs_own());
            own.next()
        })
    }

    /// The calls under way, innermost first.
    fn stack(&self) -> Vec<StackFrame> {
        let innermost = self.frames.len() - 1;
        let frames = self.frames.iter().enumerate().rev();
        frames
            .flat_map(|(depth, frame)| {
                // Outer frames stand behind their call.
                let behind = u32::from(depth != innermost);
                self.program.source_frames(CodeSite {
                    function: frame.function,
                    pc: frame.pc - behind,
                })
            })
            .collect()
    }

    /// From now on all values beside registers are only what they are.
    pub(crate) fn forget_terms(&mut self) {
        self.memory.forget_terms();
        self.kernel.forget_terms();
        for argument in &mut self.stack.varargs {
            argument.terms = None;
        }
    }

    pub(crate) fn outcome(&self, end: End) -> Outcome {
        let mut stack = match end {
            End::Exit { .. } => Vec::new(),
            _ => self.stack(),
        };
        let omitted_frames = stack.len().saturating_sub(INNER_FRAMES + OUTER_FRAMES);
        stack.drain(INNER_FRAMES.min(stack.len())..INNER_FRAMES.min(stack.len()) + omitted_frames);
        Outcome {
            end,
            stack,
            omitted_frames,
            instructions: self.instructions,
        }
    }
}

/// Integer arguments that the System V calling convention passes in registers.
const REGISTER_ARGUMENTS: usize = 6;

/// A stack overflow has many frames; the innermost and outermost ones tell the story.
const INNER_FRAMES: usize = 48;
const OUTER_FRAMES: usize = 16;

/// Whether a symbol is a function of Rust's standard library that only a panic reaches.
fn is_panic_machinery(symbol: &str) -> bool {
    let mangled = symbol.starts_with("_R") || symbol.starts_with("_ZN");
    let parts = ["9panicking", "10rust_panic", "18__rust_start_panic"];
    mangled && parts.iter().any(|part| symbol.contains(part))
}
