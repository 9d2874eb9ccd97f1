//! Prints a program as C, in one of two forms.
//!
//! *Whole*: a program with `main` that reads its input from `argv[1]` and standard input and writes
//! to standard output. *Member of a batch*: the function `program_N` of one file that holds many
//! programs; it takes the bytes of the input as parameters, and its output goes to `out`
//! (see [`crate::batch`]). Both have the same statements at their heart.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::ast::{
    Argument, Body, Callee, Comparison, Declaration, Expression, Function, Initial, Operator,
    Place, Program, Shape, Source, Statement, StatementId, StatementKind, Type, Unary, Variable,
};
use crate::typing::{Scope, converted, divisor_is_safe};

#[derive(Clone, Debug)]
pub struct Printed {
    pub text: String,
    /// The line on which each statement starts, from 1.
    pub lines: BTreeMap<StatementId, u32>,
}

/// The program with a `main` of its own.
pub fn print_whole(program: &Program) -> Printed {
    let mut printer = Printer::new(program, String::new(), false);
    printer.line("#include <stdio.h>");
    printer.line("#include <stdlib.h>");
    printer.line("");
    printer.definitions();
    printer.main();
    printer.finished()
}

/// The program as the function `program_N`; other names start with `pN_`.
pub fn print_member(program: &Program, number: usize) -> Printed {
    let mut printer = Printer::new(program, format!("p{number}_"), true);
    printer.definitions();
    printer.entry(number);
    printer.finished()
}

/// The name of a type in C.
pub(crate) fn type_name(ty: Type) -> &'static str {
    match (ty.bits, ty.signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long",
        (_, false) => "unsigned long",
    }
}

struct Printer<'a> {
    program: &'a Program,
    prefix: String,
    batch: bool,
    text: String,
    line: u32,
    depth: usize,
    lines: BTreeMap<StatementId, u32>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, prefix: String, batch: bool) -> Printer<'a> {
        Printer {
            program,
            prefix,
            batch,
            text: String::new(),
            line: 1,
            depth: 0,
            lines: BTreeMap::new(),
        }
    }

    fn finished(self) -> Printed {
        Printed {
            text: self.text,
            lines: self.lines,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
        self.line += 1;
    }

    fn entry_function(&self) -> &'a Function {
        &self.program.functions[self.program.functions.len() - 1]
    }

    fn definitions(&mut self) {
        let program = self.program;
        let prefix = self.prefix.clone();
        let scope = Scope {
            program,
            function: self.entry_function(),
        };
        self.line(format!("struct {prefix}record {{"));
        for (index, ty) in program.fields.iter().enumerate() {
            self.line(format!("    {} f{index};", type_name(*ty)));
        }
        self.line("};");
        for index in 0..program.input.len() {
            self.line(format!("static unsigned char {prefix}in{index};"));
        }
        for global in &program.globals {
            let text = self.declaration(scope, global, &prefix);
            self.line(format!("static {text};"));
        }
        let names = program.table.iter().map(|&index| {
            let name = &program.functions[index].name;
            format!("{prefix}{name}")
        });
        let names: Vec<String> = names.collect();
        for (index, function) in program.functions.iter().enumerate() {
            self.line("");
            self.function(function);
            if !names.is_empty() && program.table.iter().max() == Some(&index) {
                let (count, names) = (names.len(), names.join(", "));
                self.line("");
                self.line(format!(
                    "static int (*const {prefix}table[{count}])(int) = {{{names}}};"
                ));
            }
        }
        self.line("");
    }

    fn main(&mut self) {
        let input = &self.program.input;
        if input.iter().any(|byte| byte.source == Source::Argument) {
            self.line("static const char *rest = \"\";");
            self.line("");
            self.line("static int next_character(void) {");
            self.line("    return *rest ? (unsigned char)*rest++ : 0;");
            self.line("}");
            self.line("");
            self.line("int main(int argc, char **argv) {");
            self.line("    if (argc > 1) rest = argv[1];");
        } else {
            self.line("int main(void) {");
        }
        for (index, byte) in input.iter().enumerate() {
            let read = match byte.source {
                Source::Argument => "next_character()",
                Source::StandardInput => "(unsigned char)getchar()",
            };
            self.line(format!("    in{index} = {read} % {};", byte.modulus));
        }
        let entry = &self.entry_function().name;
        self.line(format!("    return {entry}() & 63;"));
        self.line("}");
    }

    fn entry(&mut self, number: usize) {
        let prefix = self.prefix.clone();
        let parameters: Vec<String> = (0..self.program.input.len())
            .map(|index| format!("unsigned char in{index}"))
            .collect();
        let parameters = parameters.join(", ");
        self.line(format!("int program_{number}({parameters}) {{"));
        for (index, byte) in self.program.input.iter().enumerate() {
            let modulus = byte.modulus;
            self.line(format!("    {prefix}in{index} = in{index} % {modulus};"));
        }
        let entry = &self.entry_function().name;
        self.line(format!("    return {prefix}{entry}();"));
        self.line("}");
        self.reset(number);
        self.line("");
    }

    /// Gives the globals their first values again, for a native run over many inputs.
    fn reset(&mut self, number: usize) {
        let program = self.program;
        let scope = Scope {
            program,
            function: self.entry_function(),
        };
        self.line("#ifdef NATIVE");
        self.line(format!("static void reset_{number}(void) {{"));
        for (index, global) in program.globals.iter().enumerate() {
            let fresh = Declaration {
                name: format!("fresh{index}"),
                ..global.clone()
            };
            let text = self.declaration(scope, &fresh, "");
            let name = format!("{}{}", self.prefix, global.name);
            self.line(format!("    {text};"));
            self.line(format!(
                "    __builtin_memcpy(&{name}, &fresh{index}, sizeof {name});"
            ));
        }
        self.line("}");
        self.line("#endif");
    }

    fn declaration(&self, scope: Scope, declaration: &Declaration, prefix: &str) -> String {
        let record = format!("struct {}record", self.prefix);
        let name = format!("{prefix}{}", declaration.name);
        let mut text = match declaration.shape {
            Shape::Scalar(ty) => format!("{} {name}", type_name(ty)),
            Shape::Array(ty, length) => format!("{} {name}[{length}]", type_name(ty)),
            Shape::Struct => format!("{record} {name}"),
            Shape::StructArray(length) => format!("{record} {name}[{length}]"),
            Shape::Pointer(ty) => format!("{} *{name}", type_name(ty)),
            Shape::StructPointer => format!("{record} *{name}"),
        };
        let values = |values: &[i64]| {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            values.join(", ")
        };
        let initial = match (&declaration.initial, &declaration.shape) {
            (Initial::Caller, _) => return text,
            (Initial::Constants(constants), Shape::StructArray(_)) => {
                let fields = constants.chunks(self.program.fields.len());
                let records: Vec<String> = fields.map(|f| format!("{{{}}}", values(f))).collect();
                format!("{{{}}}", records.join(", "))
            }
            (Initial::Constants(constants), Shape::Scalar(_)) => values(constants),
            (Initial::Constants(constants), _) => format!("{{{}}}", values(constants)),
            (Initial::Value(value), _) => self.expression(scope, value),
            (Initial::Address(place), _) => self.address(scope, place),
        };
        let _ = write!(text, " = {initial}");
        text
    }

    fn function(&mut self, function: &'a Function) {
        let scope = Scope {
            program: self.program,
            function,
        };
        let (parameters, locals) = function.locals.split_at(function.parameters);
        let parameters: Vec<String> = parameters
            .iter()
            .map(|parameter| self.declaration(scope, parameter, ""))
            .collect();
        let parameters = match parameters.is_empty() {
            true => "void".to_owned(),
            false => parameters.join(", "),
        };
        let (result, name) = (type_name(function.result), &function.name);
        let prefix = &self.prefix;
        let heading = format!("static {result} {prefix}{name}({parameters}) {{");
        self.line(heading);
        self.depth += 1;
        if function.recursive {
            let depth = &function.locals[0].name;
            self.line(format!("if ({depth} <= 0) return 1;"));
        }
        for local in locals {
            let text = self.declaration(scope, local, "");
            self.line(format!("{text};"));
        }
        self.body(scope, &function.body);
        let value = self.expression(scope, &function.value);
        self.line(format!("return {value};"));
        self.depth -= 1;
        self.line("}");
    }

    fn body(&mut self, scope: Scope<'a>, body: &'a Body) {
        for statement in body {
            self.statement(scope, statement);
        }
    }

    fn nested(&mut self, scope: Scope<'a>, body: &'a Body) {
        self.depth += 1;
        self.body(scope, body);
        self.depth -= 1;
    }

    fn statement(&mut self, scope: Scope<'a>, statement: &'a Statement) {
        self.lines.insert(statement.id, self.line);
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let place = self.place(scope, place);
                let value = self.expression(scope, value);
                self.line(format!("{place} = {value};"));
            }
            StatementKind::Point(pointer, condition, first, second) => {
                let pointer = self.variable(scope, *pointer);
                let text = if first == second {
                    self.address(scope, first)
                } else {
                    let condition = self.operand(scope, condition);
                    let first = self.address(scope, first);
                    let second = self.address(scope, second);
                    format!("{condition} ? {first} : {second}")
                };
                self.line(format!("{pointer} = {text};"));
            }
            StatementKind::Call(callee, arguments) => {
                let call = self.call(scope, callee, arguments);
                self.line(format!("{call};"));
            }
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.expression(scope, condition);
                self.line(format!("if ({condition}) {{"));
                self.nested(scope, then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.nested(scope, otherwise);
                }
                self.line("}");
            }
            StatementKind::For {
                counter,
                bound,
                most,
                body,
            } => {
                let counter = self.variable(scope, *counter);
                let bound = self.reduced(scope, bound, usize::from(*most) + 1);
                self.line(format!(
                    "for ({counter} = 0; {counter} < {bound}; {counter}++) {{"
                ));
                self.nested(scope, body);
                self.line("}");
            }
            StatementKind::While {
                counter,
                condition,
                most,
                body,
            } => {
                let counter = self.variable(scope, *counter);
                let condition = self.operand(scope, condition);
                self.line(format!("{counter} = {most};"));
                self.line(format!("while ({counter} > 0 && {condition}) {{"));
                self.line(format!("    {counter}--;"));
                self.nested(scope, body);
                self.line("}");
            }
            StatementKind::Switch { on, cases, default } => {
                let on = self.expression(scope, on);
                self.line(format!("switch ({on}) {{"));
                for (index, case) in cases.iter().enumerate() {
                    for value in &case.values {
                        self.line(format!("case {value}:"));
                    }
                    self.nested(scope, &case.body);
                    // What falls out of the last case is the same as a break.
                    let falls = case.falls_through && index + 1 < cases.len();
                    self.line(if falls {
                        "    __attribute__((fallthrough));"
                    } else {
                        "    break;"
                    });
                }
                if let Some(default) = default {
                    self.line("default:");
                    self.nested(scope, default);
                    self.line("    break;");
                }
                self.line("}");
            }
            StatementKind::Dispatch {
                on,
                bodies,
                table,
                layout,
            } => {
                let number = statement.id.0;
                let index = self.reduced(scope, on, table.len());
                let labels: Vec<String> = table
                    .iter()
                    .map(|body| format!("&&body{number}_{body}"))
                    .collect();
                self.line("{");
                let labels = labels.join(", ");
                self.line(format!(
                    "static const void *const table{number}[] = {{{labels}}};"
                ));
                self.line(format!("goto *table{number}[{index}];"));
                for &body in layout {
                    self.line(format!("body{number}_{body}:;"));
                    self.nested(scope, &bodies[body]);
                    self.line(format!("goto end{number};"));
                }
                self.line(format!("end{number}:;"));
                self.line("}");
            }
            StatementKind::Print(value) => {
                let value = self.operand(scope, value);
                self.line(match self.batch {
                    true => format!("out((long){value});"),
                    false => format!("printf(\"%ld\\n\", (long){value});"),
                });
            }
            StatementKind::PrintCharacter(value) => {
                let value = self.reduced(scope, value, 26);
                let output = if self.batch { "out" } else { "putchar" };
                self.line(format!("{output}('a' + {value});"));
            }
            StatementKind::PrintText(text) => {
                let output = if self.batch { "out_text" } else { "puts" };
                self.line(format!("{output}(\"{text}\");"));
            }
            StatementKind::Break => self.line("break;"),
            StatementKind::Continue => self.line("continue;"),
            StatementKind::Return(value) => {
                let value = self.expression(scope, value);
                self.line(format!("return {value};"));
            }
            StatementKind::Exit(status) => {
                let status = self.reduced(scope, status, 64);
                let leave = if self.batch { "leave" } else { "exit" };
                self.line(format!("{leave}({status});"));
            }
            StatementKind::Abort => {
                let stop = if self.batch { "stop" } else { "abort" };
                self.line(format!("{stop}();"));
            }
            StatementKind::NullWrite(value) => {
                let value = self.operand(scope, value);
                self.line(format!("*(volatile int *)0 = (int){value};"));
            }
        }
    }

    fn variable(&self, scope: Scope, variable: Variable) -> String {
        let name = &scope.declaration(variable).name;
        match variable {
            Variable::Global(_) => format!("{}{name}", self.prefix),
            Variable::Local(_) => name.clone(),
        }
    }

    fn place(&self, scope: Scope, place: &Place) -> String {
        match place {
            Place::Variable(variable) => self.variable(scope, *variable),
            Place::Element(array, index) | Place::StructElement(array, index) => {
                let name = self.variable(scope, *array);
                let index = self.reduced(scope, index, scope.length(*array));
                format!("{name}[{index}]")
            }
            Place::UncheckedElement(array, index) => {
                let name = self.variable(scope, *array);
                let index = self.reduced(scope, index, 2 * scope.length(*array));
                format!("{name}[{index}]")
            }
            Place::Field(record, field) => format!("{}.f{field}", self.variable(scope, *record)),
            Place::ElementField(array, index, field) => {
                let name = self.variable(scope, *array);
                let index = self.reduced(scope, index, scope.length(*array));
                format!("{name}[{index}].f{field}")
            }
            Place::Pointee(pointer) => format!("*{}", self.variable(scope, *pointer)),
            Place::PointeeField(pointer, field) => {
                format!("{}->f{field}", self.variable(scope, *pointer))
            }
        }
    }

    fn address(&self, scope: Scope, place: &Place) -> String {
        match place {
            Place::Pointee(pointer) => self.variable(scope, *pointer),
            _ => format!("&{}", self.place(scope, place)),
        }
    }

    /// The value, brought into `0..count` if it could be outside.
    fn reduced(&self, scope: Scope, value: &Expression, count: usize) -> String {
        let (low, high) = scope.range(value);
        if 0 <= low && high < count as i128 {
            return self.operand(scope, value);
        }
        let text = self.operand(scope, value);
        if count.is_power_of_two() {
            return format!("({text} & {})", count - 1);
        }
        let ty = scope.type_of(value).promoted();
        match ty.signed && low < 0 {
            true => {
                let unsigned = type_name(ty.unsigned());
                format!("(int)(({unsigned}){text} % {count})")
            }
            false => format!("(int)({text} % {count})"),
        }
    }

    /// An expression that can stand anywhere.
    fn operand(&self, scope: Scope, expression: &Expression) -> String {
        let text = self.expression(scope, expression);
        match expression {
            Expression::Constant(value) if *value >= 0 => text,
            Expression::Input(_) | Expression::Read(_) | Expression::Call(..) => text,
            _ => format!("({text})"),
        }
    }

    fn expression(&self, scope: Scope, expression: &Expression) -> String {
        let operand = |expression| self.operand(scope, expression);
        match expression {
            Expression::Constant(value) => value.to_string(),
            Expression::Input(index) => format!("{}in{index}", self.prefix),
            Expression::Read(place) => self.place(scope, place),
            Expression::Unary(Unary::Not, value) => format!("!{}", operand(value)),
            Expression::Unary(Unary::Complement, value) => format!("~{}", operand(value)),
            Expression::Unary(Unary::Negate, value) => {
                let ty = scope.type_of(expression);
                match ty.signed && scope.range(value).0 == ty.smallest() {
                    true => {
                        let (signed, unsigned) = (type_name(ty), type_name(ty.unsigned()));
                        format!("({signed})(0 - ({unsigned}){})", operand(value))
                    }
                    false => format!("-{}", operand(value)),
                }
            }
            Expression::Binary(operator, left, right) => {
                self.binary(scope, expression, *operator, left, right)
            }
            Expression::Compare(comparison, left, right) => {
                let sign = comparison_sign(*comparison);
                format!("{} {sign} {}", operand(left), operand(right))
            }
            Expression::Both(left, right) => format!("{} && {}", operand(left), operand(right)),
            Expression::Either(left, right) => format!("{} || {}", operand(left), operand(right)),
            Expression::Choose(condition, left, right) => {
                let condition = operand(condition);
                format!("{condition} ? {} : {}", operand(left), operand(right))
            }
            Expression::Cast(ty, value) => format!("({}){}", type_name(*ty), operand(value)),
            Expression::Call(callee, arguments) => self.call(scope, callee, arguments),
        }
    }

    fn binary(
        &self,
        scope: Scope,
        whole: &Expression,
        operator: Operator,
        left: &Expression,
        right: &Expression,
    ) -> String {
        let ty = scope.type_of(whole);
        let (signed, unsigned) = (type_name(ty), type_name(ty.unsigned()));
        let sign = operator_sign(operator);
        let (left_text, right_text) = (self.operand(scope, left), self.operand(scope, right));
        let (left_range, right_range) = (scope.range(left), scope.range(right));
        match operator {
            Operator::ShiftLeft | Operator::ShiftRight => {
                let most = i128::from(ty.bits) - 1;
                let count = match 0 <= right_range.0 && right_range.1 <= most {
                    true => right_text,
                    false => format!("({right_text} & {most})"),
                };
                match operator == Operator::ShiftLeft && ty.signed {
                    true => format!("({signed})(({unsigned}){left_text} << {count})"),
                    false => format!("{left_text} {sign} {count}"),
                }
            }
            Operator::Add | Operator::Subtract | Operator::Multiply if ty.signed => {
                let (low, high) = scope.combined(operator, left_range, right_range, ty);
                match ty.smallest() <= low && high <= ty.largest() {
                    true => format!("{left_text} {sign} {right_text}"),
                    false => {
                        format!(
                            "({signed})(({unsigned}){left_text} {sign} ({unsigned}){right_text})"
                        )
                    }
                }
            }
            Operator::Divide | Operator::Remainder => {
                let (left, right) = (converted(left_range, ty), converted(right_range, ty));
                match divisor_is_safe(left, right, ty) {
                    true => format!("{left_text} {sign} {right_text}"),
                    false => format!("{left_text} {sign} (({right_text} & 7) + 1)"),
                }
            }
            _ => format!("{left_text} {sign} {right_text}"),
        }
    }

    fn call(&self, scope: Scope, callee: &Callee, arguments: &[Argument]) -> String {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) => self.expression(scope, value),
                Argument::Address(place) => self.address(scope, place),
                Argument::Depth(value) => self.reduced(scope, value, 4),
                Argument::Descend => format!("{} - 1", scope.function.locals[0].name),
            })
            .collect();
        let arguments = arguments.join(", ");
        let prefix = &self.prefix;
        match callee {
            Callee::Function(index) => {
                let name = &self.program.functions[*index].name;
                format!("{prefix}{name}({arguments})")
            }
            Callee::Table(index) => {
                let index = self.reduced(scope, index, self.program.table.len());
                format!("{prefix}table[{index}]({arguments})")
            }
        }
    }
}

fn operator_sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide | Operator::UncheckedDivide => "/",
        Operator::Remainder | Operator::UncheckedRemainder => "%",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
    }
}

fn comparison_sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}
