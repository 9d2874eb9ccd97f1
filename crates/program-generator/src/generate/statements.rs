//! Random statements and calls.

use super::{Generator, MOST_WORK, binary};
use crate::ast::{
    Argument, Body, Callee, Case, Declaration, Expression, Initial, Operator, Place, Shape,
    StatementKind, Type, Variable,
};

impl Generator {
    pub(super) fn body(&mut self, depth: usize) -> Body {
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if self.left == 0 && !body.is_empty() {
                break;
            }
            self.left = self.left.saturating_sub(1);
            let kind = self.statement(depth);
            let ends = is_exit(&kind);
            let statement = self.made(kind);
            body.push(statement);
            if ends {
                break;
            }
        }
        body
    }

    pub(super) fn conditional_body(&mut self, depth: usize) -> Body {
        let before = std::mem::replace(&mut self.conditional, true);
        let body = self.body(depth);
        self.conditional = before;
        body
    }

    pub(super) fn statement(&mut self, depth: usize) -> StatementKind {
        let nested = depth < 3 && self.left > 0;
        match self.random.below(100) {
            0..=23 if nested => {
                let condition = self.condition(2);
                let then = self.conditional_body(depth + 1);
                let otherwise = match self.random.chance(55) {
                    true => self.conditional_body(depth + 1),
                    false => Vec::new(),
                };
                StatementKind::If(condition, then, otherwise)
            }
            24..=33 if nested && self.loops < 2 => self.repetition(depth, true),
            34..=41 if nested && self.loops < 2 => self.repetition(depth, false),
            42..=49 if nested && self.labels => self.dispatch(depth),
            42..=49 if nested => self.switch(depth),
            50..=59 => self.call_into_local().unwrap_or_else(|| self.assignment()),
            60..=63 => self.repoint().unwrap_or_else(|| self.assignment()),
            64..=71 => StatementKind::Print(self.expression(2)),
            72..=74 => StatementKind::PrintCharacter(self.expression(1)),
            75..=76 => {
                let words = ["low", "high", "left", "right", "even", "odd", "none"];
                StatementKind::PrintText((*self.random.pick(&words)).to_owned())
            }
            77..=80 if self.conditional && self.loops > 0 => {
                match self.breakable && self.random.chance(50) {
                    true => StatementKind::Break,
                    false => StatementKind::Continue,
                }
            }
            81..=84 if self.conditional => StatementKind::Return(self.expression(2)),
            85 if self.conditional => StatementKind::Exit(self.expression(1)),
            86..=87 if self.conditional && self.settings.faults => match self.random.chance(50) {
                true => StatementKind::Abort,
                false => StatementKind::NullWrite(self.expression(1)),
            },
            _ => self.assignment(),
        }
    }

    pub(super) fn repetition(&mut self, depth: usize, counted: bool) -> StatementKind {
        let most = *self.random.pick(&[2u8, 3, 3, 4, 5, 6]);
        let counter = Variable::Local(self.locals.len());
        let prefix = if counted { "i" } else { "n" };
        self.locals.push(Declaration {
            name: format!("{prefix}{}", self.locals.len()),
            shape: Shape::Scalar(Type::INT),
            initial: Initial::Constants(vec![0]),
            counts_to: Some(most),
        });
        let bound = match self.random.chance(60) {
            true => Expression::Input(self.random.below(self.program.input.len())),
            false => self.expression(1),
        };
        let condition = match counted {
            true => bound,
            false => self.condition(2),
        };
        let before = (self.factor, self.breakable, self.conditional);
        self.factor *= usize::from(most);
        self.loops += 1;
        (self.breakable, self.conditional) = (true, false);
        let body = self.body(depth + 1);
        self.loops -= 1;
        (self.factor, self.breakable, self.conditional) = before;
        match counted {
            true => StatementKind::For {
                counter,
                bound: condition,
                most,
                body,
            },
            false => StatementKind::While {
                counter,
                condition,
                most,
                body,
            },
        }
    }

    pub(super) fn switch(&mut self, depth: usize) -> StatementKind {
        let on = match self.random.chance(50) {
            true => Expression::Input(self.random.below(self.program.input.len())),
            false => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let value = binary(Operator::Add, input, self.expression(1));
                let mask = *self.random.pick(&[3, 7, 15]);
                binary(Operator::And, value, Expression::Constant(mask))
            }
        };
        let breakable = std::mem::replace(&mut self.breakable, false);
        let mut free: Vec<i64> = (0..8).collect();
        let mut cases = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let mut values = Vec::new();
            for _ in 0..1 + self.random.below(2) {
                values.push(free.swap_remove(self.random.below(free.len())));
            }
            cases.push(Case {
                values,
                body: self.conditional_body(depth + 1),
                falls_through: self.random.chance(30),
            });
            if free.len() < 2 {
                break;
            }
        }
        let default = match self.random.chance(60) {
            true => Some(self.conditional_body(depth + 1)),
            false => None,
        };
        self.breakable = breakable;
        StatementKind::Switch { on, cases, default }
    }

    pub(super) fn dispatch(&mut self, depth: usize) -> StatementKind {
        let on = self.expression(2);
        let count = 2 + self.random.below(3);
        let bodies = (0..count).map(|_| self.conditional_body(depth + 1));
        let bodies: Vec<Body> = bodies.collect();
        let entries = count + self.random.below(3);
        let table = (0..entries).map(|_| self.random.below(count)).collect();
        let mut layout: Vec<usize> = (0..count).collect();
        layout.rotate_left(self.random.below(count));
        StatementKind::Dispatch {
            on,
            bodies,
            table,
            layout,
        }
    }

    pub(super) fn assignment(&mut self) -> StatementKind {
        let place = self.scalar_place(true);
        let value = self.expression(3);
        match place {
            Some(place) => StatementKind::Assign(place, value),
            None => StatementKind::Print(value),
        }
    }

    pub(super) fn call_into_local(&mut self) -> Option<StatementKind> {
        let (callee, arguments) = self.call()?;
        Some(self.call_statement(callee, arguments))
    }

    /// A call whose result is kept, printed or dropped.
    pub(super) fn call_statement(
        &mut self,
        callee: Callee,
        arguments: Vec<Argument>,
    ) -> StatementKind {
        let scalars: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| {
                let declaration = self.declaration(variable);
                matches!(variable, Variable::Local(_))
                    && declaration.counts_to.is_none()
                    && matches!(declaration.shape, Shape::Scalar(_))
            })
            .collect();
        let call = Expression::Call(callee.clone(), arguments.clone());
        match self.random.below(10) {
            0 => StatementKind::Call(callee, arguments),
            1..=2 => StatementKind::Print(call),
            _ if scalars.is_empty() => StatementKind::Print(call),
            _ => {
                let place = Place::Variable(*self.random.pick(&scalars));
                StatementKind::Assign(place, call)
            }
        }
    }

    pub(super) fn repoint(&mut self) -> Option<StatementKind> {
        let pointers: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| {
                let shape = &self.declaration(variable).shape;
                matches!(shape, Shape::Pointer(_) | Shape::StructPointer)
            })
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let pointer = *self.random.pick(&pointers);
        // A global pointer outlives the locals.
        let global = matches!(pointer, Variable::Global(_));
        let shape = self.declaration(pointer).shape.clone();
        let mut target = || match shape {
            Shape::Pointer(ty) => self.place_of_type(ty, global),
            _ => self.struct_place(global),
        };
        let (first, second) = (target()?, target()?);
        let condition = self.condition(1);
        Some(StatementKind::Point(pointer, condition, first, second))
    }

    pub(super) fn call(&mut self) -> Option<(Callee, Vec<Argument>)> {
        let own = self.program.functions.len() - 1;
        let table = &self.program.table;
        let above_table = table.iter().all(|&member| member < own);
        if !table.is_empty() && above_table && self.random.chance(35) {
            let works = table.iter().map(|&member| self.work_of[member]);
            let most = works.max().unwrap_or_default();
            self.spend(most)?;
            let index = self.expression(1);
            let value = self.expression(2);
            return Some((Callee::Table(Box::new(index)), vec![Argument::Value(value)]));
        }
        let recursion = self.in_recursion && self.loops == 0 && self.self_calls < 2;
        let target = match recursion && self.random.chance(60) {
            true => own,
            false if own == 0 => return None,
            false => self.random.below(own),
        };
        self.call_of(target)
    }

    pub(super) fn call_of(&mut self, target: usize) -> Option<(Callee, Vec<Argument>)> {
        let own = self.program.functions.len() - 1;
        if target == own {
            self.self_calls += 1;
        } else {
            self.spend(self.work_of[target])?;
        }
        let function = &self.program.functions[target];
        let (recursive, count) = (function.recursive, function.parameters);
        let shapes: Vec<Shape> = function.locals[..count]
            .iter()
            .map(|parameter| parameter.shape.clone())
            .collect();
        let mut arguments = Vec::new();
        for (index, shape) in shapes.into_iter().enumerate() {
            arguments.push(match shape {
                _ if recursive && index == 0 && target == own => Argument::Descend,
                _ if recursive && index == 0 => Argument::Depth(self.expression(1)),
                Shape::Pointer(ty) => Argument::Address(self.place_of_type(ty, false)?),
                Shape::StructPointer => Argument::Address(self.struct_place(false)?),
                _ => Argument::Value(self.expression(2)),
            });
        }
        Some((Callee::Function(target), arguments))
    }

    pub(super) fn spend(&mut self, work: usize) -> Option<()> {
        let more = self.factor * work;
        if self.work + more > MOST_WORK {
            return None;
        }
        self.work += more;
        Some(())
    }
}

/// Whether nothing after it in the same body is reached.
fn is_exit(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(_)
            | StatementKind::Exit(_)
            | StatementKind::Abort
    )
}
