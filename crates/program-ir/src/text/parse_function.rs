//! Parsing functions: everything but the instructions themselves.

use super::lex::Token;
use super::parse::{Parsed, Parser, id};
use crate::{
    Block, BlockData, Constant, EntityRef, Function, Inst, InstNode, Module, PrimaryMap, Signature,
    Type, Value, ValueData, ValueDef, VariableBinding, VariableData, VariablePlace,
};
use std::collections::HashMap;
use std::fmt::Display;

/// What is known of a function's values and instructions while its text is read. Their
/// definitions come in any order and become dense maps at the end.
#[derive(Default)]
pub(super) struct Body {
    values: Vec<Definition<ValueData>>,
    insts: Vec<Definition<InstNode>>,
    constants: HashMap<(Type, Constant), Value>,
    /// The number of the next constant that the text gives none.
    next_value: u32,
    next_inst: u32,
}

struct Definition<T> {
    number: u32,
    start: usize,
    data: T,
}

impl<'a> Parser<'a> {
    pub(super) fn function(&mut self, module: &mut Module) -> Parsed<()> {
        self.definition("fn", &module.functions)?;
        self.word("function")?;
        let linkage = self.linkage()?;
        let name = self.string_with("the function's name")?;
        let signature = self.signature()?;
        let mut function = Function::new(name, linkage, signature);
        function.scope = self.optional_id("scope")?;
        if self.take_word("frame")? {
            function.frame_bytes = self.number("a number of bytes")?;
        }
        if self.token == Token::Symbol('{') {
            let mut body = Body {
                next_value: self.first_free_value()?,
                ..Body::default()
            };
            self.advance()?;
            while !self.take_symbol('}')? {
                self.body_item(&mut function, &mut body)?;
            }
            function.values = self.dense(body.values)?;
            function.insts = self.dense(body.insts)?;
        }
        module.functions.push(function);
        Ok(())
    }

    fn signature(&mut self) -> Parsed<Signature> {
        self.symbol('(')?;
        let mut params = Vec::new();
        let mut variadic = false;
        while !self.take_symbol(')')? {
            variadic = self.take(Token::Ellipsis)?;
            if !variadic {
                params.push(self.ty()?);
            }
            if variadic || !self.take_symbol(',')? {
                self.symbol(')')?;
                break;
            }
        }
        Ok(Signature {
            params,
            returns: self.returns()?,
            variadic,
        })
    }

    /// `-> (i32, i1)`, or nothing.
    pub(super) fn returns(&mut self) -> Parsed<Vec<Type>> {
        match self.take(Token::Arrow)? {
            true => self.types(),
            false => Ok(Vec::new()),
        }
    }

    fn types(&mut self) -> Parsed<Vec<Type>> {
        self.symbol('(')?;
        self.list(')', Self::ty)
    }

    /// One more than the highest value number in the body that starts here.
    fn first_free_value(&mut self) -> Parsed<u32> {
        let mut lexer = self.look_ahead();
        let mut depth = 1;
        let mut free = 0;
        while depth > 0 {
            match lexer.next()?.0 {
                Token::Symbol('{') => depth += 1,
                Token::Symbol('}') => depth -= 1,
                Token::Word(word) => {
                    if let Some(value) = id::<Value>(word, "v") {
                        free = free.max(value.as_u32() + 1);
                    }
                }
                Token::End => break,
                _ => {}
            }
        }
        Ok(free)
    }

    fn body_item(&mut self, function: &mut Function, body: &mut Body) -> Parsed<()> {
        match self.token {
            Token::Word("constants") => {
                self.advance()?;
                loop {
                    let start = self.start;
                    let value: Value = self.id("v")?;
                    self.symbol('=')?;
                    let (ty, constant) = self.constant()?;
                    body.constants.entry((ty, constant)).or_insert(value);
                    let def = ValueDef::Constant(constant);
                    body.define_value(value, start, ValueData { ty, def });
                    if !self.take_symbol(',')? {
                        return Ok(());
                    }
                }
            }
            Token::Word("bind") => {
                self.advance()?;
                let binding = self.binding(body)?;
                function.bindings.push(binding);
                Ok(())
            }
            Token::Word(word) if word.starts_with("var") => {
                self.definition("var", &function.variables)?;
                let variable = self.variable()?;
                function.variables.push(variable);
                Ok(())
            }
            Token::Word(word) if word.starts_with("block") => self.block(function, body),
            _ => Err(self.expected("`constants`, `var…`, `bind`, a block or `}`")),
        }
    }

    fn variable(&mut self) -> Parsed<VariableData> {
        let name = self.string_with("the variable's name")?;
        let scope = self.id("scope")?;
        self.word("line")?;
        let line = self.number("a line")?;
        let ty = match self.take_word("type")? {
            true => Some(self.id("type")?),
            false => None,
        };
        let parameter = match self.take_word("parameter")? {
            true => self.number("the parameter's number")?,
            false => 0,
        };
        Ok(VariableData {
            name,
            scope,
            line,
            ty,
            parameter,
        })
    }

    fn binding(&mut self, body: &mut Body) -> Parsed<VariableBinding> {
        let variable = self.id("var")?;
        let place = if self.take_word("value")? {
            VariablePlace::Value(self.operand(body)?)
        } else if self.take_word("memory")? {
            VariablePlace::Memory(self.operand(body)?)
        } else if self.take_word("gone")? {
            VariablePlace::Gone
        } else {
            return Err(self.expected("`value`, `memory` or `gone`"));
        };
        self.word("before")?;
        Ok(VariableBinding {
            variable,
            before: self.id("inst")?,
            place,
        })
    }

    fn block(&mut self, function: &mut Function, body: &mut Body) -> Parsed<()> {
        let block = function.blocks.next_key();
        if self.peek_id("block") != Some(block) {
            return Err(self.expected(format!("`{block}`, the next in order")));
        }
        self.advance()?;
        let mut data = BlockData::default();
        if self.take_symbol('(')? {
            data.params = self.block_params(block, body)?;
        }
        self.symbol(':')?;
        while self.at_inst() {
            let inst = self.inst(body)?;
            data.insts.push(inst);
        }
        function.blocks.push(data);
        Ok(())
    }

    fn block_params(&mut self, block: Block, body: &mut Body) -> Parsed<Vec<Value>> {
        let mut index = 0;
        self.list(')', |this| {
            let (value, start, ty) = this.value_definition()?;
            let def = ValueDef::Param(block, index);
            body.define_value(value, start, ValueData { ty, def });
            index += 1;
            Ok(value)
        })
    }

    /// `v3: i32`
    fn value_definition(&mut self) -> Parsed<(Value, usize, Type)> {
        let start = self.start;
        let value = self.id("v")?;
        self.symbol(':')?;
        Ok((value, start, self.ty()?))
    }

    /// Whether an instruction starts here, rather than a block or the function's end.
    fn at_inst(&self) -> bool {
        match self.token {
            Token::Word(word) => {
                !matches!(word, "constants" | "bind")
                    && id::<Block>(word, "block").is_none()
                    && id::<crate::Variable>(word, "var").is_none()
            }
            _ => false,
        }
    }

    fn inst(&mut self, body: &mut Body) -> Parsed<Inst> {
        let start = self.start;
        let inst = match self.optional_id("inst")? {
            Some(inst) => {
                self.symbol(':')?;
                inst
            }
            None => Inst::from_u32(body.next_inst),
        };
        let first_result = self.peek_id("v");
        let result_count = match first_result {
            Some(first) => self.results(inst, first, body)?,
            None => 0,
        };
        let data = self.inst_data(body)?;
        let loc = match self.take_symbol('!')? {
            true => Some(self.id("loc")?),
            false => None,
        };
        body.next_inst = inst.as_u32().saturating_add(1).min(u32::MAX - 1);
        body.insts.push(Definition {
            number: inst.as_u32(),
            start,
            data: InstNode {
                data,
                first_result,
                result_count,
                loc,
            },
        });
        Ok(inst)
    }

    /// `v3: i32, v4: i1 =`
    fn results(&mut self, inst: Inst, first: Value, body: &mut Body) -> Parsed<u16> {
        let mut count: u16 = 0;
        loop {
            let expected = first.as_u32().checked_add(u32::from(count));
            let (value, start, ty) = self.value_definition()?;
            if Some(value.as_u32()) != expected {
                let message = format!("expected results numbered on from {first}, found `{value}`");
                return Err(self.error_at(start, message));
            }
            let def = ValueDef::Result(inst, count);
            body.define_value(value, start, ValueData { ty, def });
            count = match count.checked_add(1) {
                Some(count) => count,
                None => return Err(self.error_at(start, "an instruction has too many results")),
            };
            if !self.take_symbol(',')? {
                break;
            }
        }
        self.symbol('=')?;
        Ok(count)
    }

    pub(super) fn operand(&mut self, body: &mut Body) -> Parsed<Value> {
        if let Some(value) = self.peek_id("v") {
            self.advance()?;
            return Ok(value);
        }
        if !self.at_constant() {
            return Err(self.expected("a value (`v3`) or a constant (`i32 5`)"));
        }
        let start = self.start;
        let (ty, constant) = self.constant()?;
        if let Some(&value) = body.constants.get(&(ty, constant)) {
            return Ok(value);
        }
        if body.next_value >= u32::MAX - 1 {
            return Err(self.error_at(start, "there are too many values"));
        }
        let value = Value::from_u32(body.next_value);
        body.next_value += 1;
        body.constants.insert((ty, constant), value);
        let def = ValueDef::Constant(constant);
        body.define_value(value, start, ValueData { ty, def });
        Ok(value)
    }

    /// The definitions as a map: every number from zero on, each once.
    fn dense<K: EntityRef + Display, T>(
        &self,
        mut definitions: Vec<Definition<T>>,
    ) -> Parsed<PrimaryMap<K, T>> {
        definitions.sort_by_key(|definition| definition.number);
        let mut map = PrimaryMap::with_capacity(definitions.len());
        for definition in definitions {
            let next: K = map.next_key();
            let found = K::new(definition.number as usize);
            if found.index() < next.index() {
                let message = format!("`{found}` is defined a second time");
                return Err(self.error_at(definition.start, message));
            }
            if found != next {
                let message = format!("`{found}` is defined, but `{next}` is not");
                return Err(self.error_at(definition.start, message));
            }
            map.push(definition.data);
        }
        Ok(map)
    }
}

impl Body {
    fn define_value(&mut self, value: Value, start: usize, data: ValueData) {
        self.values.push(Definition {
            number: value.as_u32(),
            start,
            data,
        });
    }
}
