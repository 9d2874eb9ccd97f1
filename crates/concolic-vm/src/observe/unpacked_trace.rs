//! A dependence trace as tables: takes more memory, and gives any instance at once.

use super::dependence_trace::DependenceTrace;
use super::instance::Instance;
use super::slice::Slice;
use crate::program::Program;
use crate::site::CodeSite;
use expr::ExprId;
use program_ir::{EntityRef, Func, Inst};

#[derive(Clone, Debug, Default)]
pub struct UnpackedTrace {
    operations: Vec<u32>,
    /// By instance: where its data dependences end in `data`.
    data_ends: Vec<u32>,
    data: Vec<Instance>,
    control: Vec<Instance>,
    values: Vec<u64>,
    terms: Vec<u32>,
    /// As in [`DependenceTrace::conditions`].
    pub conditions: Vec<(Instance, ExprId)>,
    pub cut_off: bool,
}

impl DependenceTrace {
    /// For looking at instances in any order.
    pub fn unpacked(&self) -> UnpackedTrace {
        UnpackedTrace::of(self)
    }
}

impl UnpackedTrace {
    fn of(trace: &DependenceTrace) -> UnpackedTrace {
        let count = trace.len();
        let mut unpacked = UnpackedTrace {
            operations: Vec::with_capacity(count),
            data_ends: Vec::with_capacity(count),
            data: Vec::new(),
            control: Vec::with_capacity(count),
            values: trace.values.clone(),
            terms: trace.terms.clone(),
            conditions: trace.conditions.clone(),
            cut_off: trace.cut_off,
        };
        unpacked.operations.push(0);
        unpacked.data_ends.push(0);
        unpacked.control.push(Instance::NONE);
        let mut place = trace.at();
        for instance in trace.instances() {
            let step = place.step(instance);
            unpacked.operations.push(step.operation);
            unpacked.control.push(step.control);
            let data = step.data.iter().map(|edge| edge.writer);
            unpacked.data.extend(data);
            unpacked.data_ends.push(unpacked.data.len() as u32);
        }
        unpacked
    }

    /// Instances, and number 0.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        let words = self.operations.capacity()
            + self.data_ends.capacity()
            + self.data.capacity()
            + self.control.capacity()
            + self.terms.capacity();
        4 * words + 8 * (self.values.capacity() + self.conditions.capacity())
    }

    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    pub fn instances(&self) -> impl DoubleEndedIterator<Item = Instance> + use<> {
        (1..self.len() as u32).map(Instance)
    }

    pub fn site(&self, program: &Program, instance: Instance) -> CodeSite {
        program.site_of_operation(self.operation(instance))
    }

    /// The operation counted through the program; see [`Program::operation_number`].
    pub fn operation(&self, instance: Instance) -> u32 {
        self.operations[instance.0 as usize]
    }

    pub fn place(&self, program: &Program, instance: Instance) -> Option<(Func, Inst)> {
        let site = self.site(program, instance);
        let inst = program.inst_at(site)?;
        Some((Func::new(site.function as usize), inst))
    }

    pub fn data(&self, instance: Instance) -> &[Instance] {
        let index = instance.0 as usize;
        let start = match index {
            0 => 0,
            _ => self.data_ends[index - 1],
        };
        &self.data[start as usize..self.data_ends[index] as usize]
    }

    pub fn control(&self, instance: Instance) -> Option<Instance> {
        let parent = self.control[instance.0 as usize];
        (parent != Instance::NONE).then_some(parent)
    }

    /// All that some instances depend on, by data and control.
    pub fn backward_slice(&self, from: impl IntoIterator<Item = Instance>) -> Slice {
        let mut slice = Slice::new(self.len());
        from.into_iter().for_each(|instance| slice.insert(instance));
        for instance in self.instances().rev() {
            if slice.contains(instance) {
                self.data(instance).iter().for_each(|&on| slice.insert(on));
                slice.insert(self.control[instance.0 as usize]);
            }
        }
        slice
    }

    /// The result's low word, 0 if results are not kept.
    pub fn value(&self, instance: Instance) -> u64 {
        let value = self.values.get(instance.0 as usize);
        value.copied().unwrap_or(0)
    }

    pub fn term(&self, instance: Instance) -> Option<ExprId> {
        let term = self.terms.get(instance.0 as usize);
        ExprId::from_raw(term.copied().unwrap_or(0))
    }
}
