//! Printing a module and its functions.

use super::print_inst::{FunctionPrinter, name_of};
use super::print_source::{write_global, write_source, write_untyped_constant};
use crate::{EntityRef, Func, Function, Module, Type, ValueDef, VariableData, VariablePlace};
use std::fmt::{self, Display, Formatter, Write};

/// The whole module as text.
pub fn print_module(module: &Module) -> String {
    ModuleText(module).to_string()
}

/// One function as text, as it appears in the text of the whole module.
///
/// # Panics
/// If `func` is not a function of `module`.
pub fn print_function(module: &Module, func: Func) -> String {
    FunctionText(module, func).to_string()
}

struct ModuleText<'a>(&'a Module);

impl Display for ModuleText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let module = self.0;
        write_source(f, &module.source)?;
        for (global, data) in module.globals.iter() {
            writeln!(f)?;
            write_global(f, module, global, data)?;
        }
        for func in module.functions.keys() {
            writeln!(f)?;
            FunctionText(module, func).fmt(f)?;
        }
        for (index, (name, &constant)) in module.aliases.iter().enumerate() {
            if index == 0 {
                writeln!(f)?;
            }
            write!(f, "alias {} = ", Quoted(name))?;
            write_untyped_constant(f, module, constant)?;
            writeln!(f)?;
        }
        Ok(())
    }
}

struct FunctionText<'a>(&'a Module, Func);

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FunctionText(module, func) = *self;
        let function = &module.functions[func];
        write_head(f, func, function)?;
        let empty = function.blocks.is_empty()
            && function.insts.is_empty()
            && function.values.is_empty()
            && function.variables.is_empty()
            && function.bindings.is_empty();
        if empty {
            return writeln!(f);
        }
        writeln!(f, " {{")?;
        let printer = FunctionPrinter::new(module, function);
        write_constants(f, &printer)?;
        for (variable, data) in function.variables.iter() {
            write!(f, "  {variable} = ")?;
            write_variable(f, data)?;
        }
        for binding in &function.bindings {
            write!(f, "  bind {} ", binding.variable)?;
            match binding.place {
                VariablePlace::Value(value) => {
                    f.write_str("value ")?;
                    printer.write_operand(f, value)?;
                }
                VariablePlace::Memory(value) => {
                    f.write_str("memory ")?;
                    printer.write_operand(f, value)?;
                }
                VariablePlace::Gone => f.write_str("gone")?,
            }
            writeln!(f, " before {}", binding.before)?;
        }
        write_blocks(f, &printer)?;
        writeln!(f, "}}")
    }
}

fn write_head(f: &mut Formatter<'_>, func: Func, function: &Function) -> fmt::Result {
    write!(
        f,
        "{func} = function {} {} (",
        function.linkage.name(),
        Quoted(&function.name)
    )?;
    let signature = &function.signature;
    write_types(f, &signature.params)?;
    if signature.variadic {
        f.write_str(match signature.params.is_empty() {
            true => "...",
            false => ", ...",
        })?;
    }
    f.write_char(')')?;
    if !signature.returns.is_empty() {
        f.write_str(" -> (")?;
        write_types(f, &signature.returns)?;
        f.write_char(')')?;
    }
    if let Some(scope) = function.scope {
        write!(f, " {scope}")?;
    }
    match function.frame_bytes {
        0 => Ok(()),
        bytes => write!(f, " frame {bytes}"),
    }
}

pub(super) fn write_types(f: &mut Formatter<'_>, types: &[Type]) -> fmt::Result {
    separated(f, types, |f, ty| write!(f, "{ty}"))
}

fn write_constants(f: &mut Formatter<'_>, printer: &FunctionPrinter<'_>) -> fmt::Result {
    const PER_LINE: usize = 6;
    let mut count = 0;
    for (value, data) in printer.function.values.iter() {
        if let ValueDef::Constant(constant) = data.def {
            f.write_str(match count {
                0 => "  constants ",
                _ if count % PER_LINE == 0 => ",\n    ",
                _ => ", ",
            })?;
            write!(f, "{value} = ")?;
            printer.write_constant(f, data.ty, constant)?;
            count += 1;
        }
    }
    if count > 0 { writeln!(f) } else { Ok(()) }
}

fn write_variable(f: &mut Formatter<'_>, data: &VariableData) -> fmt::Result {
    let name = Quoted(&data.name);
    write!(f, "{name} {} line {}", data.scope, data.line)?;
    if let Some(ty) = data.ty {
        write!(f, " type {ty}")?;
    }
    if data.parameter != 0 {
        write!(f, " parameter {}", data.parameter)?;
    }
    writeln!(f)
}

fn write_blocks(f: &mut Formatter<'_>, printer: &FunctionPrinter<'_>) -> fmt::Result {
    let (module, function) = (printer.module, printer.function);
    // Bindings are listed in their own order above; here they are repeated as comments,
    // where they take effect.
    let mut bindings: Vec<_> = function.bindings.iter().collect();
    bindings.sort_by_key(|binding| binding.before);
    let mut last_loc = None;
    for (block, data) in function.blocks.iter() {
        write!(f, "{block}")?;
        if !data.params.is_empty() {
            f.write_char('(')?;
            separated(f, &data.params, |f, &param| {
                printer.write_definition(f, param)
            })?;
            f.write_char(')')?;
        }
        writeln!(f, ":")?;
        for &inst in &data.insts {
            let first = bindings.partition_point(|binding| binding.before < inst);
            for binding in &bindings[first..] {
                if binding.before != inst {
                    break;
                }
                let name = match function.variables.get(binding.variable) {
                    Some(data) => data.name.as_str(),
                    None => "?",
                };
                write!(f, "  ; {} ", Quoted(name))?;
                match binding.place {
                    VariablePlace::Value(value) => {
                        f.write_str("= ")?;
                        printer.write_operand(f, value)?;
                    }
                    VariablePlace::Memory(value) => {
                        f.write_str("at ")?;
                        printer.write_operand(f, value)?;
                    }
                    VariablePlace::Gone => f.write_str("gone")?,
                }
                writeln!(f)?;
            }
            write!(f, "  {inst}: ")?;
            let Some(node) = function.insts.get(inst) else {
                writeln!(f, "; missing")?;
                continue;
            };
            printer.write_inst(f, node)?;
            if let Some(loc) = node.loc {
                write!(f, " !{loc}")?;
                if node.loc != last_loc {
                    write_place(f, module, loc)?;
                    last_loc = node.loc;
                }
            }
            writeln!(f)?;
        }
    }
    Ok(())
}

/// File, line and column of `loc`, as a comment.
fn write_place(f: &mut Formatter<'_>, module: &Module, loc: crate::Loc) -> fmt::Result {
    let source = &module.source;
    let place = source.locs.get(loc).and_then(|data| {
        let scope = source.scopes.get(data.scope)?;
        Some((data, source.files.get(scope.file)?))
    });
    match place {
        Some((data, file)) => {
            // A comment must not end before its line does.
            match file.name.contains('\n') {
                true => write!(f, " ; {}", Quoted(&file.name))?,
                false => write!(f, " ; {}", file.name)?,
            }
            write!(f, ":{}:{}", data.line, data.column)
        }
        None => Ok(()),
    }
}

pub(super) fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write(f, item)?;
    }
    Ok(())
}

/// A string literal.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                '\0' => f.write_str("\\0")?,
                ' '..='~' => f.write_char(character)?,
                _ if character.is_alphanumeric() => f.write_char(character)?,
                _ => write!(f, "\\u{{{:x}}}", u32::from(character))?,
            }
        }
        f.write_char('"')
    }
}

/// A function or global of the module, with its name if it has one.
pub(super) fn write_reference<K: EntityRef + Display>(
    f: &mut Formatter<'_>,
    id: K,
    name: Option<&str>,
) -> fmt::Result {
    match name {
        Some(name) => write!(f, "{id}:{}", name_of(name)),
        None => write!(f, "{id}"),
    }
}
