//! One function: blocks of instructions over SSA values.

use crate::{
    Block, Constant, Inst, InstData, Loc, Scope, Type, Value, Variable, VariableBinding,
    VariableData,
};
use cranelift_entity::{EntityRef, PrimaryMap};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Symbol name.
    pub name: String,
    pub linkage: Linkage,
    pub signature: Signature,
    /// The subprogram that the debug information describes this function as.
    pub scope: Option<Scope>,
    /// Bytes of stack that a call takes natively, beyond what the body allocates itself.
    pub frame_bytes: u32,
    /// Invariant: empty for a declaration; otherwise the first block is the entry,
    /// its parameters are the function's, and no edge leads to it.
    pub blocks: PrimaryMap<Block, BlockData>,
    pub insts: PrimaryMap<Inst, InstNode>,
    pub values: PrimaryMap<Value, ValueData>,
    pub variables: PrimaryMap<Variable, VariableData>,
    pub bindings: Vec<VariableBinding>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Visible only in its own module (`static`, or made local when linking).
    Local,
    Exported,
    /// Declared, never defined.
    Import,
    /// Declared weak, never defined: its address is null.
    WeakImport,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Signature {
    pub params: Vec<Type>,
    pub returns: Vec<Type>,
    pub variadic: bool,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BlockData {
    pub params: Vec<Value>,
    /// Invariant: the last instruction, and only it, is a terminator.
    pub insts: Vec<Inst>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InstNode {
    pub data: InstData,
    /// Results are consecutive values, `first_result` the lowest.
    pub first_result: Option<Value>,
    pub result_count: u16,
    pub loc: Option<Loc>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum ValueDef {
    Param(Block, u32),
    Result(Inst, u16),
    Constant(Constant),
}

impl Function {
    /// A declaration; add blocks to make it a definition.
    pub fn new(name: impl Into<String>, linkage: Linkage, signature: Signature) -> Self {
        Function {
            name: name.into(),
            linkage,
            signature,
            scope: None,
            frame_bytes: 0,
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            bindings: Vec::new(),
        }
    }

    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn entry(&self) -> Option<Block> {
        (!self.blocks.is_empty()).then(|| Block::new(0))
    }

    pub fn params(&self) -> &[Value] {
        match self.entry() {
            Some(entry) => &self.blocks[entry].params,
            None => &[],
        }
    }

    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    pub fn constant(&self, value: Value) -> Option<Constant> {
        match self.values[value].def {
            ValueDef::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    pub fn results(&self, inst: Inst) -> impl DoubleEndedIterator<Item = Value> + use<> {
        let node = &self.insts[inst];
        let first = node.first_result.map_or(0, |value| value.index());
        (first..first + usize::from(node.result_count)).map(Value::new)
    }

    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.blocks[block].insts.last().copied()
    }

    pub fn successors(&self, block: Block) -> Vec<Block> {
        match self.terminator(block) {
            Some(inst) => self.insts[inst].data.successors(),
            None => Vec::new(),
        }
    }

    // Construction.

    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    pub fn add_block_param(&mut self, block: Block, ty: Type) -> Value {
        let index = self.blocks[block].params.len() as u32;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Param(block, index),
        });
        self.blocks[block].params.push(value);
        value
    }

    pub fn add_constant(&mut self, ty: Type, constant: Constant) -> Value {
        self.values.push(ValueData {
            ty,
            def: ValueDef::Constant(constant),
        })
    }

    /// Appends an instruction to `block` and defines its results.
    pub fn append(
        &mut self,
        block: Block,
        data: InstData,
        results: &[Type],
        loc: Option<Loc>,
    ) -> Inst {
        let inst = self.insts.next_key();
        let first_result = (!results.is_empty()).then(|| self.values.next_key());
        for (index, &ty) in results.iter().enumerate() {
            self.values.push(ValueData {
                ty,
                def: ValueDef::Result(inst, index as u16),
            });
        }
        self.insts.push(InstNode {
            data,
            first_result,
            result_count: results.len() as u16,
            loc,
        });
        self.blocks[block].insts.push(inst);
        inst
    }
}
