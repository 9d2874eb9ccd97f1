//! How the instances of a dependence trace are written down: a few bytes each.
//!
//! An instance is one byte of flags, then what is not as expected, as numbers of seven bits a byte:
//! - the operation, unless it is the one behind the previous instance's;
//! - activation and control dependence, unless they are the previous instance's;
//! - the number of data dependences, unless it is small;
//! - each data dependence: the kind and the register within the frame, and how many instances ago the writer was;
//! - the oldest writer of what was read, unless it is the start or the oldest that a dependence through memory names.
//!
//! Every [`CHUNK`] instances there is a mark to start reading from. Reading goes forwards only; who walks
//! backwards reads chunk by chunk.

use super::instance::{Activation, Edge, Instance};

/// Instances between two marks.
pub(super) const CHUNK: usize = 64;

const MANY_EDGES: u8 = 7;
/// Memory was read; the oldest writer is among the dependences.
const READS_MEMORY: u8 = 1 << 3;
/// With the flag before: the oldest writer is the start. Alone: it is written down.
const OLDER_READ: u8 = 1 << 4;
const WAY: u8 = 1 << 5;
const OTHER_OPERATION: u8 = 1 << 6;
const OTHER_SURROUNDINGS: u8 = 1 << 7;

/// Kinds of data dependence.
const REGISTER: u64 = 0;
const ADDRESS: u64 = 1;
const MEMORY: u64 = 2;
const OPERATION: u64 = 3;

/// What is expected of the next instance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected {
    operation: u32,
    activation: u32,
    control: Instance,
}

/// Where a chunk begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    at: u32,
    expected: Expected,
}

/// An instance without its data dependences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) operation: u32,
    pub(super) activation: u32,
    pub(super) control: Instance,
    /// For a branch, whether it was taken.
    pub(super) way: bool,
    /// If memory was read: the oldest writer of what was read.
    pub(super) oldest_read: Option<Instance>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    expected: Expected,
    /// Written so far.
    pub(super) count: u32,
}

impl Code {
    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity() + self.marks.capacity() * size_of::<Mark>()
    }

    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    /// The next instance. `base` is the first register of its frame.
    pub(super) fn push(&mut self, head: &Head, base: u32, edges: impl Iterator<Item = Edge>) {
        self.count += 1;
        let instance = self.count;
        if (instance as usize).is_multiple_of(CHUNK) || instance == 1 {
            self.marks.push(Mark {
                at: self.bytes.len() as u32,
                expected: self.expected,
            });
        }
        let mut flags = u8::from(head.way) * WAY;
        let place = self.bytes.len();
        self.bytes.push(0);
        if head.operation != self.expected.operation {
            flags |= OTHER_OPERATION;
            let behind = head.operation.wrapping_sub(self.expected.operation);
            self.signed(i64::from(behind as i32));
        }
        if head.activation != self.expected.activation || head.control != self.expected.control {
            flags |= OTHER_SURROUNDINGS;
            let behind = head.activation.wrapping_sub(self.expected.activation);
            self.signed(i64::from(behind as i32));
            self.number(u64::from(instance - head.control.0));
        }
        self.expected = Expected {
            operation: head.operation.wrapping_add(1),
            activation: head.activation,
            control: head.control,
        };
        let first = self.bytes.len();
        let mut count: u64 = 0;
        let mut oldest = None;
        for edge in edges {
            count += 1;
            let ago = u64::from(instance - edge.writer.0);
            match edge.through {
                Edge::MEMORY => {
                    let writer = edge.writer;
                    oldest = Some(oldest.map_or(writer, |oldest: Instance| oldest.min(writer)));
                    self.number(ago << 2 | MEMORY);
                }
                Edge::OPERATION => self.number(ago << 2 | OPERATION),
                register => {
                    let is_address = register & Edge::ADDRESS != 0;
                    let kind = if is_address { ADDRESS } else { REGISTER };
                    let register = (register & !Edge::ADDRESS).wrapping_sub(base);
                    self.number(u64::from(register) << 2 | kind);
                    self.number(ago);
                }
            }
        }
        if count < u64::from(MANY_EDGES) {
            flags |= count as u8;
        } else {
            flags |= MANY_EDGES;
            let mut many = Vec::new();
            write_number(&mut many, count);
            self.bytes.splice(first..first, many);
        }
        match head.oldest_read {
            None => {}
            Some(Instance::NONE) => flags |= READS_MEMORY | OLDER_READ,
            Some(_) if head.oldest_read == oldest => flags |= READS_MEMORY,
            Some(other) => {
                flags |= OLDER_READ;
                self.number(u64::from(instance - other.0));
            }
        }
        self.bytes[place] = flags;
    }

    fn number(&mut self, number: u64) {
        write_number(&mut self.bytes, number);
    }

    fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }
}

#[inline]
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The instances of one chunk.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The first one's number.
    first: u32,
    heads: Vec<Head>,
    /// By instance: where its edges end.
    ends: Vec<u32>,
    edges: Vec<Edge>,
}

/// Reads a chunk's bytes.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    #[inline]
    fn byte(&mut self) -> u8 {
        let byte = self.bytes[self.at];
        self.at += 1;
        byte
    }

    #[inline]
    fn number(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 {
            return u64::from(first);
        }
        let mut number = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    #[inline]
    fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }
}

impl Chunk {
    /// The number of the chunk that an instance is in.
    pub(super) fn number_of(instance: Instance) -> usize {
        instance.0 as usize / CHUNK
    }

    /// Reads a chunk in place of what was there.
    pub(super) fn read(&mut self, code: &Code, number: usize, activations: &[Activation]) {
        self.heads.clear();
        self.ends.clear();
        self.edges.clear();
        self.first = ((number * CHUNK) as u32).max(1);
        let end = (((number + 1) * CHUNK) as u32).min(code.count + 1);
        let Some(mark) = code.marks.get(number) else {
            return;
        };
        let mut expected = mark.expected;
        let mut reader = Reader {
            bytes: &code.bytes,
            at: mark.at as usize,
        };
        for instance in self.first..end {
            let flags = reader.byte();
            if flags & OTHER_OPERATION != 0 {
                expected.operation = expected.operation.wrapping_add(reader.signed() as u32);
            }
            if flags & OTHER_SURROUNDINGS != 0 {
                expected.activation = expected.activation.wrapping_add(reader.signed() as u32);
                expected.control = Instance(instance - reader.number() as u32);
            }
            let mut count = u64::from(flags & MANY_EDGES);
            if count == u64::from(MANY_EDGES) {
                count = reader.number();
            }
            let base = activations[expected.activation as usize].base;
            let mut oldest = u32::MAX;
            for _ in 0..count {
                let number = reader.number();
                let (through, ago) = match number & 3 {
                    MEMORY => {
                        oldest = oldest.min(instance - (number >> 2) as u32);
                        (Edge::MEMORY, number >> 2)
                    }
                    OPERATION => (Edge::OPERATION, number >> 2),
                    kind => {
                        let register = (number >> 2) as u32;
                        let register = register.wrapping_add(base);
                        let mark = (kind == ADDRESS) as u32 * Edge::ADDRESS;
                        (register | mark, reader.number())
                    }
                };
                let writer = Instance(instance - ago as u32);
                self.edges.push(Edge { through, writer });
            }
            let oldest_read = match flags & (READS_MEMORY | OLDER_READ) {
                0 => None,
                READS_MEMORY => Some(Instance(oldest)),
                OLDER_READ => Some(Instance(instance - reader.number() as u32)),
                _ => Some(Instance::NONE),
            };
            self.heads.push(Head {
                operation: expected.operation,
                activation: expected.activation,
                control: expected.control,
                way: flags & WAY != 0,
                oldest_read,
            });
            self.ends.push(self.edges.len() as u32);
            expected.operation = expected.operation.wrapping_add(1);
        }
    }

    /// An instance of this chunk and its data dependences.
    #[inline]
    pub(super) fn get(&self, instance: Instance) -> (&Head, &[Edge]) {
        let index = (instance.0 - self.first) as usize;
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1] as usize,
        };
        (
            &self.heads[index],
            &self.edges[start..self.ends[index] as usize],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge(instance: u32, base: u32) -> impl Strategy<Value = Edge> {
        let register = 0..300u32;
        let through = prop_oneof![
            Just(Edge::MEMORY),
            Just(Edge::OPERATION),
            register.clone().prop_map(move |register| register + base),
            register.prop_map(move |register| (register + base) | Edge::ADDRESS),
        ];
        (through, 0..instance).prop_map(|(through, writer)| Edge {
            through,
            writer: Instance(writer),
        })
    }

    /// Activations by their first register, and instances.
    fn instances() -> impl Strategy<Value = (Vec<u32>, Vec<(Head, Vec<Edge>)>)> {
        let bases = prop::collection::vec(0..1_000u32, 1..5);
        (bases, 1..300u32).prop_flat_map(|(bases, count)| {
            let all: Vec<_> = (1..=count)
                .map(|instance| one(instance, bases.clone()))
                .collect();
            (Just(bases), all)
        })
    }

    fn one(instance: u32, bases: Vec<u32>) -> impl Strategy<Value = (Head, Vec<Edge>)> {
        let activation = 0..bases.len() as u32;
        let operation = prop_oneof![(0..4u32), any::<u32>()];
        // Few surroundings, so that some stay as they are.
        let control = (0..instance).prop_map(|control| control - control % 32);
        let more = (any::<bool>(), 0..4u8, 0..instance);
        (activation, operation, control, more).prop_flat_map(
            move |(activation, operation, control, (way, reads, other))| {
                let edges = edge(instance, bases[activation as usize]);
                prop::collection::vec(edges, 0..12).prop_map(move |edges| {
                    let memory = edges.iter().filter(|edge| edge.through == Edge::MEMORY);
                    let oldest = memory.map(|edge| edge.writer).min();
                    let head = Head {
                        operation,
                        activation,
                        control: Instance(control),
                        way,
                        oldest_read: match reads {
                            0 => None,
                            1 => Some(Instance::NONE),
                            2 => Some(Instance(other)),
                            _ => oldest,
                        },
                    };
                    (head, edges)
                })
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_written_is_read((bases, instances) in instances()) {
            let activations: Vec<Activation> = bases
                .iter()
                .map(|&base| Activation { base, library_call: None })
                .collect();
            let mut code = Code::default();
            for (head, edges) in &instances {
                let base = bases[head.activation as usize];
                code.push(head, base, edges.iter().copied());
            }
            let mut chunk = Chunk::default();
            for number in (0..=instances.len() / CHUNK).rev() {
                chunk.read(&code, number, &activations);
                for index in (number * CHUNK).max(1)..((number + 1) * CHUNK).min(instances.len() + 1) {
                    let (head, edges) = chunk.get(Instance(index as u32));
                    prop_assert_eq!(head, &instances[index - 1].0);
                    prop_assert_eq!(edges, &instances[index - 1].1[..]);
                }
            }
        }
    }
}
