//! Makes a second version of a program by a few random edits.
//!
//! Some kinds change only how the program is written, so some pairs behave the same. The
//! others change its meaning on paper; whether any input shows it is left open.

use crate::ast::{
    Callee, Expression, Function, Operator, Place, Program, Shape, Statement, StatementId,
    StatementKind, Unary, Variable,
};
use crate::generate::{COMPARISONS, OPERATORS, Settings, binary, generate};
use crate::print::print_whole;
use crate::random::Random;
use crate::walk::{at, for_each_body, for_each_expression};

/// Two versions of a program with the same input.
#[derive(Clone, Debug)]
pub struct Pair {
    pub old: Program,
    pub new: Program,
    /// In the order in which they were made. Empty only if nothing could be edited.
    pub edits: Vec<Edit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub kind: EditKind,
    /// The function, or the global that was renamed.
    pub name: String,
    /// Lines in the whole programs where the edited statement starts. A renamed variable has
    /// none; an inserted or deleted statement has one of the two, as has a statement that
    /// another edit deleted later.
    pub old_line: Option<u32>,
    pub new_line: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKind {
    ChangeOperator,
    ChangeConstant,
    NegateCondition,
    DeleteStatement,
    InsertStatement,
    SwapBranches,
    ChangeCallee,
    Rename,
    /// An expression or condition is written in another way: `x + x` as `2 * x`.
    Rewrite,
    /// Two neighbours that do not depend on each other change places.
    Reorder,
    /// A table of labels has other entries. Only in programs with such tables, as the next.
    ChangeTable,
    /// What labels stand before is written in another order.
    MoveBlocks,
}

impl EditKind {
    pub const ALL: [EditKind; 12] = [
        EditKind::ChangeOperator,
        EditKind::ChangeConstant,
        EditKind::NegateCondition,
        EditKind::DeleteStatement,
        EditKind::InsertStatement,
        EditKind::SwapBranches,
        EditKind::ChangeCallee,
        EditKind::Rename,
        EditKind::Rewrite,
        EditKind::Reorder,
        EditKind::ChangeTable,
        EditKind::MoveBlocks,
    ];

    /// Those of programs without tables of labels.
    const WITHOUT_LABELS: usize = 10;

    /// Whether it leaves the behaviour as it is.
    pub fn is_neutral(self) -> bool {
        matches!(
            self,
            EditKind::Rename | EditKind::Rewrite | EditKind::Reorder | EditKind::MoveBlocks
        )
    }
}

impl Pair {
    /// Whether the two versions behave the same on every input because of how they were made.
    /// If not, they may or may not differ.
    pub fn is_equivalent_by_construction(&self) -> bool {
        self.edits.iter().all(|edit| edit.kind.is_neutral())
    }
}

/// The program of a seed and an edited version of it.
pub fn pair(seed: u64, settings: Settings) -> Pair {
    edited(generate(seed, settings), seed)
}

/// A program and an edited version of it, chosen by a seed. The program may be an edited one itself.
pub fn edited(old: Program, seed: u64) -> Pair {
    let mut editor = Editor {
        random: Random::new(seed ^ 0x005e_ed0f_ed17),
        next_id: first_free_id(&old),
        program: old.clone(),
    };
    let wanted = 1 + editor.random.below(3);
    // A third of the pairs is edited neutrally only.
    let neutral = editor.random.chance(33);
    let kinds = match has_labels(&old) {
        true => &EditKind::ALL[..],
        false => &EditKind::ALL[..EditKind::WITHOUT_LABELS],
    };
    let mut made = Vec::new();
    for _ in 0..400 {
        if made.len() == wanted {
            break;
        }
        let kind = *editor.random.pick(kinds);
        if neutral && !kind.is_neutral() {
            continue;
        }
        let before = editor.program.clone();
        let place = editor.edit(kind);
        // Each edit must show, and they must not undo each other.
        let text = print_whole(&editor.program).text;
        if [&before, &old]
            .iter()
            .any(|program| print_whole(program).text == text)
        {
            editor.program = before;
        } else {
            made.extend(place.map(|place| (kind, place)));
        }
    }
    let new = editor.program;
    let (old_lines, new_lines) = (print_whole(&old).lines, print_whole(&new).lines);
    let edits = made.into_iter().map(|(kind, (name, id))| Edit {
        kind,
        name,
        old_line: id.and_then(|id| old_lines.get(&id).copied()),
        new_line: id.and_then(|id| new_lines.get(&id).copied()),
    });
    Pair {
        edits: edits.collect(),
        old,
        new,
    }
}

fn has_labels(program: &Program) -> bool {
    let mut found = false;
    for function in &mut program.functions.clone() {
        for_each_body(function, &mut |body| {
            found |= body
                .iter()
                .any(|statement| matches!(statement.kind, StatementKind::Dispatch { .. }));
        });
    }
    found
}

/// For inserted statements: one that no statement has.
fn first_free_id(program: &Program) -> u32 {
    let mut free = 1_000_000;
    for function in &mut program.functions.clone() {
        for_each_body(function, &mut |body| {
            let ids = body.iter().map(|statement| statement.id.0 + 1);
            free = ids.fold(free, u32::max);
        });
    }
    free
}

struct Editor {
    random: Random,
    program: Program,
    next_id: u32,
}

/// What was edited: a function or global, and the statement in it.
type Edited = (String, Option<StatementId>);

impl Editor {
    /// One edit of this kind at a random place, if it is possible there.
    fn edit(&mut self, kind: EditKind) -> Option<Edited> {
        if kind == EditKind::Rename {
            return self.rename();
        }
        let number = self.random.below(self.program.functions.len());
        // Tables of labels are no statements: they have no line of their own.
        let whole = match kind {
            EditKind::ChangeTable => Some(self.with_labels(number, change_table)),
            EditKind::MoveBlocks => Some(self.with_labels(number, move_blocks)),
            _ => None,
        };
        if let Some(changed) = whole {
            return changed.map(|()| (self.program.functions[number].name.clone(), None));
        }
        let mut ids = Vec::new();
        let function = &mut self.program.functions[number];
        for_each_body(function, &mut |body| {
            ids.extend(body.iter().map(|statement| statement.id));
        });
        if ids.is_empty() {
            return None;
        }
        let id = *self.random.pick(&ids);
        let edited = match kind {
            EditKind::ChangeOperator => self.change_expression(number, id, changed_operator),
            EditKind::ChangeConstant => self.change_expression(number, id, changed_constant),
            EditKind::Rewrite => self.change_expression(number, id, rewritten),
            EditKind::ChangeCallee => self.change_callee(number, id),
            EditKind::InsertStatement => return self.insert(number, id),
            EditKind::NegateCondition => self.with(number, id, negate_condition),
            EditKind::SwapBranches => self.with(number, id, swap_branches),
            EditKind::DeleteStatement => {
                let function = &mut self.program.functions[number];
                at(function, id, |body, index| {
                    body.remove(index);
                    Some(())
                })
            }
            EditKind::Reorder => {
                let function = &mut self.program.functions[number];
                at(function, id, |body, index| {
                    let next = body.get(index + 1)?;
                    let free = are_independent(&body[index], next);
                    free.then(|| body.swap(index, index + 1))
                })
            }
            EditKind::Rename | EditKind::ChangeTable | EditKind::MoveBlocks => {
                unreachable!("handled above")
            }
        };
        edited.map(|()| (self.program.functions[number].name.clone(), Some(id)))
    }

    fn with(
        &mut self,
        number: usize,
        id: StatementId,
        change: fn(&mut Statement) -> Option<()>,
    ) -> Option<()> {
        let function = &mut self.program.functions[number];
        at(function, id, |body, index| change(&mut body[index]))
    }

    /// Changes every jump through a table of labels in the function for which `change` has an answer.
    fn with_labels(
        &mut self,
        number: usize,
        change: fn(&mut StatementKind, &mut Random) -> bool,
    ) -> Option<()> {
        let random = &mut self.random;
        let mut changed = false;
        for_each_body(&mut self.program.functions[number], &mut |body| {
            for statement in body {
                changed |= change(&mut statement.kind, random);
            }
        });
        changed.then_some(())
    }

    /// Changes one of the expressions of the statement for which `change` has an answer.
    fn change_expression(
        &mut self,
        number: usize,
        id: StatementId,
        change: fn(&Expression, &mut Random) -> Option<Expression>,
    ) -> Option<()> {
        let random = &mut self.random;
        let function = &mut self.program.functions[number];
        at(function, id, |body, index| {
            let statement = &mut body[index];
            let mut possible = Vec::new();
            let mut position = 0;
            for_each_expression(statement, &mut |expression| {
                if let Some(changed) = change(expression, random) {
                    possible.push((position, changed));
                }
                position += 1;
            });
            if possible.is_empty() {
                return None;
            }
            let (chosen, changed) = random.pick(&possible).clone();
            let mut changed = Some(changed);
            let mut position = 0;
            for_each_expression(statement, &mut |expression| {
                if position == chosen
                    && let Some(changed) = changed.take()
                {
                    *expression = changed;
                }
                position += 1;
            });
            Some(())
        })
    }

    fn rename(&mut self) -> Option<Edited> {
        let number = self.random.below(self.program.functions.len() + 1);
        let (owner, declarations) = match self.program.functions.get_mut(number) {
            Some(function) => (function.name.clone(), &mut function.locals),
            None => (String::new(), &mut self.program.globals),
        };
        if declarations.is_empty() {
            return None;
        }
        let index = self.random.below(declarations.len());
        let old = declarations[index].name.clone();
        declarations[index].name = format!("renamed_{old}");
        Some((if owner.is_empty() { old } else { owner }, None))
    }

    fn insert(&mut self, number: usize, before: StatementId) -> Option<Edited> {
        let function = &self.program.functions[number];
        let globals = (0..self.program.globals.len()).map(Variable::Global);
        let locals = (0..function.locals.len()).map(Variable::Local);
        let scalars: Vec<Variable> = globals
            .chain(locals)
            .filter(|&variable| {
                let declaration = match variable {
                    Variable::Global(index) => &self.program.globals[index],
                    Variable::Local(index) => &function.locals[index],
                };
                matches!(declaration.shape, Shape::Scalar(_)) && declaration.counts_to.is_none()
            })
            .collect();
        let constant = Expression::Constant(self.random.between(1, 5));
        let kind = if scalars.is_empty() || self.random.chance(30) {
            StatementKind::Print(constant)
        } else {
            let place = Place::Variable(*self.random.pick(&scalars));
            let operator = *self.random.pick(&OPERATORS);
            let value = binary(operator, Expression::Read(place.clone()), constant);
            StatementKind::Assign(place, value)
        };
        let id = StatementId(self.next_id);
        self.next_id += 1;
        let function = &mut self.program.functions[number];
        at(function, before, |body, index| {
            body.insert(index, Statement { id, kind });
            Some(())
        })?;
        Some((self.program.functions[number].name.clone(), Some(id)))
    }

    /// Calls another function of the same kind, one that comes before the caller too.
    fn change_callee(&mut self, number: usize, id: StatementId) -> Option<()> {
        let signature = |function: &Function| {
            let parameters = function.locals[..function.parameters].iter();
            let shapes: Vec<Shape> = parameters.map(|local| local.shape.clone()).collect();
            (function.recursive, shapes)
        };
        let signatures: Vec<_> = self.program.functions.iter().map(signature).collect();
        let random = &mut self.random;
        let mut change = |callee: &mut Callee| {
            let Callee::Function(target) = callee else {
                return None;
            };
            let alike: Vec<usize> = (0..number)
                .filter(|&other| other != *target && signatures[other] == signatures[*target])
                .collect();
            if *target == number || alike.is_empty() {
                return None;
            }
            *target = *random.pick(&alike);
            Some(())
        };
        let function = &mut self.program.functions[number];
        at(function, id, |body, index| {
            let statement = &mut body[index];
            if let StatementKind::Call(callee, _) = &mut statement.kind {
                return change(callee);
            }
            let mut done = None;
            for_each_expression(statement, &mut |expression| {
                if let Expression::Call(callee, _) = expression
                    && done.is_none()
                {
                    done = change(callee);
                }
            });
            done
        })
    }
}

fn changed_operator(expression: &Expression, random: &mut Random) -> Option<Expression> {
    match expression {
        Expression::Binary(operator, left, right) => {
            let other = *random.pick(&OPERATORS);
            (other != *operator).then(|| Expression::Binary(other, left.clone(), right.clone()))
        }
        Expression::Compare(comparison, left, right) => {
            let other = *random.pick(&COMPARISONS);
            (other != *comparison).then(|| Expression::Compare(other, left.clone(), right.clone()))
        }
        Expression::Both(left, right) => Some(Expression::Either(left.clone(), right.clone())),
        Expression::Either(left, right) => Some(Expression::Both(left.clone(), right.clone())),
        _ => None,
    }
}

fn changed_constant(expression: &Expression, random: &mut Random) -> Option<Expression> {
    let Expression::Constant(value) = expression else {
        return None;
    };
    let other = match random.below(3) {
        0 => value + 1,
        1 => value - 1,
        _ => random.between(0, 20),
    };
    (other != *value).then_some(Expression::Constant(other))
}

/// The same value, written in another way.
fn rewritten(expression: &Expression, _: &mut Random) -> Option<Expression> {
    match expression {
        Expression::Binary(Operator::Add, left, right) if left == right => Some(binary(
            Operator::Multiply,
            Expression::Constant(2),
            (**left).clone(),
        )),
        Expression::Binary(
            operator @ (Operator::Add
            | Operator::Multiply
            | Operator::And
            | Operator::Or
            | Operator::Xor),
            left,
            right,
        ) => Some(Expression::Binary(*operator, right.clone(), left.clone())),
        Expression::Compare(comparison, left, right) => {
            let mirrored = mirrored(*comparison);
            Some(Expression::Compare(mirrored, right.clone(), left.clone()))
        }
        Expression::Constant(value @ 1..=1_000_000) => Some(binary(
            Operator::Add,
            Expression::Constant(value - 1),
            Expression::Constant(1),
        )),
        _ => None,
    }
}

fn mirrored(comparison: crate::ast::Comparison) -> crate::ast::Comparison {
    use crate::ast::Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
    match comparison {
        Less => Greater,
        LessOrEqual => GreaterOrEqual,
        Greater => Less,
        GreaterOrEqual => LessOrEqual,
        same => same,
    }
}

/// Rotates the table: mostly another meaning, with the same labels.
fn change_table(kind: &mut StatementKind, random: &mut Random) -> bool {
    let StatementKind::Dispatch { table, .. } = kind else {
        return false;
    };
    let by = 1 + random.below(table.len() - 1);
    table.rotate_left(by);
    true
}

fn move_blocks(kind: &mut StatementKind, random: &mut Random) -> bool {
    let StatementKind::Dispatch { layout, .. } = kind else {
        return false;
    };
    let by = 1 + random.below(layout.len() - 1);
    layout.rotate_left(by);
    true
}

fn negate_condition(statement: &mut Statement) -> Option<()> {
    match &mut statement.kind {
        StatementKind::If(condition, ..) | StatementKind::While { condition, .. } => {
            let old = std::mem::replace(condition, Expression::Constant(0));
            *condition = Expression::Unary(Unary::Not, Box::new(old));
            Some(())
        }
        _ => None,
    }
}

fn swap_branches(statement: &mut Statement) -> Option<()> {
    match &mut statement.kind {
        StatementKind::If(_, then, otherwise) if !otherwise.is_empty() => {
            std::mem::swap(then, otherwise);
            Some(())
        }
        _ => None,
    }
}

/// Whether two statements may change places: both assign to or print plain variables, and neither
/// uses what the other assigns.
fn are_independent(first: &Statement, second: &Statement) -> bool {
    let (Some(first), Some(second)) = (effects(first), effects(second)) else {
        return false;
    };
    let touches = |effects: &Effects, variable: Option<Variable>| {
        variable.is_some_and(|v| effects.written == Some(v) || effects.read.contains(&v))
    };
    let both_print = first.written.is_none() && second.written.is_none();
    !both_print && !touches(&first, second.written) && !touches(&second, first.written)
}

struct Effects {
    read: Vec<Variable>,
    /// `None` for output.
    written: Option<Variable>,
}

/// What a simple statement reads and writes; `None` if it may do more than that.
fn effects(statement: &Statement) -> Option<Effects> {
    let written = match &statement.kind {
        StatementKind::Assign(Place::Variable(variable), _) => Some(*variable),
        StatementKind::Print(_) | StatementKind::PrintCharacter(_) => None,
        _ => return None,
    };
    let mut read = Vec::new();
    let mut simple = true;
    for_each_expression(&mut statement.clone(), &mut |expression| match expression {
        Expression::Call(..)
        | Expression::Read(
            Place::Pointee(_) | Place::PointeeField(..) | Place::UncheckedElement(..),
        )
        | Expression::Binary(Operator::UncheckedDivide | Operator::UncheckedRemainder, ..) => {
            simple = false;
        }
        Expression::Read(
            Place::Variable(variable)
            | Place::Element(variable, _)
            | Place::Field(variable, _)
            | Place::ElementField(variable, ..)
            | Place::StructElement(variable, _),
        ) => read.push(*variable),
        _ => {}
    });
    simple.then_some(Effects { read, written })
}
