//! Vectors, as lists of scalars: most operations only rename, the others are spelled
//! out in shifts and selects. Element 0 is in the lowest bits.

use crate::function::FunctionReader;
use crate::llvm;
use crate::translation::int_bits;
use program_ir::{BinaryOp, Constant, IntPredicate, Type, Value};

impl FunctionReader<'_, '_> {
    pub(crate) fn extract_element(&mut self, value: llvm::Value) -> Vec<Value> {
        let lanes = self.operand(value.operand(0));
        match int_bits(value.operand(1)) {
            Some(index) => match element_at(&lanes, index) {
                Some(lane) => vec![lane],
                None => {
                    let shape = self.shape(value.ty());
                    self.undef(&shape.scalars)
                }
            },
            None => {
                let index = self.scalar_operand(value.operand(1));
                vec![self.pick(&lanes, index)]
            }
        }
    }

    /// `lanes[index]`; the last one if `index` is out of range.
    pub(crate) fn pick(&mut self, lanes: &[Value], index: Value) -> Value {
        let (&last, rest) = lanes.split_last().expect("a vector has elements");
        let index = self.resize(index, Type::I64, false);
        let mut picked = last;
        for (number, &lane) in rest.iter().enumerate() {
            let number = self.constant(Type::I64, number as u128);
            let here = self.compare(IntPredicate::Eq, index, number);
            picked = self.select(here, lane, picked);
        }
        picked
    }

    pub(crate) fn insert_element(&mut self, value: llvm::Value) -> Vec<Value> {
        let mut lanes = self.operand(value.operand(0));
        let element = self.scalar_operand(value.operand(1));
        match int_bits(value.operand(2)) {
            Some(index) => {
                if element_at(&lanes, index).is_some() {
                    lanes[index as usize] = element;
                }
            }
            None => {
                let index = self.scalar_operand(value.operand(2));
                let index = self.resize(index, Type::I64, false);
                for (number, lane) in lanes.iter_mut().enumerate() {
                    let number = self.constant(Type::I64, number as u128);
                    let here = self.compare(IntPredicate::Eq, index, number);
                    *lane = self.select(here, element, *lane);
                }
            }
        }
        lanes
    }

    pub(crate) fn shuffle(&mut self, value: llvm::Value) -> Vec<Value> {
        let mut lanes = self.operand(value.operand(0));
        lanes.extend(self.operand(value.operand(1)));
        let shape = self.shape(value.ty());
        (0..value.mask_length())
            .map(|index| {
                let picked = usize::try_from(value.mask_value(index)).ok();
                match picked.and_then(|picked| lanes.get(picked)) {
                    Some(&lane) => lane,
                    None => self.constant_of(shape.scalars[index as usize], Constant::Undef),
                }
            })
            .collect()
    }

    /// The same bits, cut up differently.
    pub(crate) fn bit_cast(&mut self, args: Vec<Value>, to: &[Type]) -> Vec<Value> {
        let from: Vec<Type> = args.iter().map(|&arg| self.ty(arg)).collect();
        if from == to {
            return args;
        }
        if args.is_empty() || to.is_empty() {
            return self.undef(to);
        }
        let (narrow, wide) = (from[0].bits(), to[0].bits());
        if narrow == wide {
            return args
                .into_iter()
                .zip(to)
                .map(|(arg, &to)| {
                    let int = self.as_int(arg);
                    self.int_as(int, to)
                })
                .collect();
        }
        if wide % narrow == 0 {
            return args
                .chunks((wide / narrow) as usize)
                .zip(to)
                .map(|(chunk, &to)| {
                    let int = self.pack(chunk);
                    self.int_as(int, to)
                })
                .collect();
        }
        if narrow % wide == 0 {
            let parts = (narrow / wide) as usize;
            return args
                .into_iter()
                .zip(to.chunks(parts))
                .flat_map(|(arg, types)| {
                    let int = self.as_int(arg);
                    self.unpack(int, types)
                })
                .collect();
        }
        if narrow as usize * args.len() <= 128 {
            let int = self.pack(&args);
            return self.unpack(int, to);
        }
        self.unsupported("bitcast between vectors of unrelated widths", to)
    }

    /// One integer made of scalars of at most 128 bits together, the first lowest.
    pub(crate) fn pack(&mut self, parts: &[Value]) -> Value {
        let total: u32 = parts.iter().map(|&part| self.ty(part).bits()).sum();
        let ty = Type::Int(total as u8);
        let mut whole = None;
        let mut shift = 0;
        for &part in parts {
            let width = self.ty(part).bits();
            let int = self.as_int(part);
            let wide = self.resize(int, ty, false);
            let placed = match shift {
                0 => wide,
                _ => {
                    let amount = self.constant(ty, u128::from(shift));
                    self.binary(BinaryOp::Shl, wide, amount)
                }
            };
            whole = Some(match whole {
                None => placed,
                Some(lower) => self.binary(BinaryOp::Or, lower, placed),
            });
            shift += width;
        }
        whole.expect("at least one part")
    }

    /// The inverse of [`Self::pack`].
    pub(crate) fn unpack(&mut self, whole: Value, types: &[Type]) -> Vec<Value> {
        let ty = self.ty(whole);
        let mut shift = 0;
        types
            .iter()
            .map(|&part| {
                let shifted = match shift {
                    0 => whole,
                    _ => {
                        let amount = self.constant(ty, u128::from(shift));
                        self.binary(BinaryOp::LShr, whole, amount)
                    }
                };
                shift += part.bits();
                let int = self.resize(shifted, Type::Int(part.bits() as u8), false);
                self.int_as(int, part)
            })
            .collect()
    }
}

/// `None` beyond the end, where an access gives poison.
fn element_at(lanes: &[Value], index: u128) -> Option<Value> {
    lanes.get(usize::try_from(index).ok()?).copied()
}
