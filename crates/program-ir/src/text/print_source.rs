//! Printing globals and the source map.

use super::LONGEST_ZERO_RUN;
use super::print::{Quoted, separated};
use super::print_inst::write_constant;
use crate::{Constant, DebugType, DebugTypeData, Global, GlobalData, Module, SourceMap, Type};
use std::fmt::{self, Display, Formatter, Write};

pub(super) fn write_source(f: &mut Formatter<'_>, source: &SourceMap) -> fmt::Result {
    for (file, data) in source.files.iter() {
        let (name, directory) = (Quoted(&data.name), Quoted(&data.directory));
        writeln!(f, "{file} = {name} in {directory}")?;
    }
    for (scope, data) in source.scopes.iter() {
        write!(f, "{scope} = ")?;
        match &data.function {
            Some(name) => write!(f, "function {}", Quoted(name))?,
            None => f.write_str("block")?,
        }
        write!(f, " {}:{}", data.file, data.line)?;
        if let Some(parent) = data.parent {
            write!(f, " in {parent}")?;
        }
        if !data.signature.is_empty() {
            f.write_str(" signature ")?;
            write_signature(f, &data.signature)?;
        }
        writeln!(f)?;
    }
    for (loc, data) in source.locs.iter() {
        write!(f, "{loc} = {}:{} {}", data.line, data.column, data.scope)?;
        if let Some(call) = data.inlined_at {
            write!(f, " inlined at {call}")?;
        }
        writeln!(f)?;
    }
    for (ty, data) in source.types.iter() {
        write!(f, "{ty} = ")?;
        write_debug_type(f, data)?;
        writeln!(f)?;
    }
    Ok(())
}

fn write_debug_type(f: &mut Formatter<'_>, data: &DebugTypeData) -> fmt::Result {
    match data {
        DebugTypeData::Base {
            name,
            bits,
            encoding,
        } => write!(f, "base {} bits {bits} encoding {encoding}", Quoted(name)),
        DebugTypeData::Pointer { to } => write!(f, "pointer to {}", OrVoid(*to)),
        DebugTypeData::Typedef { name, of } => {
            write!(f, "typedef {} of {}", Quoted(name), OrVoid(*of))
        }
        DebugTypeData::Qualified { qualifier, of } => {
            write!(f, "qualified {} of {}", Quoted(qualifier), OrVoid(*of))
        }
        DebugTypeData::Array { element, counts } => {
            write!(f, "array of {}", OrVoid(*element))?;
            for count in counts {
                match count {
                    Some(count) => write!(f, " [{count}]")?,
                    None => f.write_str(" []")?,
                }
            }
            Ok(())
        }
        DebugTypeData::Composite {
            name,
            is_union,
            bits,
            fields,
        } => {
            let keyword = if *is_union { "union" } else { "struct" };
            write!(f, "{keyword} {} bits {bits} {{", Quoted(name))?;
            for (index, field) in fields.iter().enumerate() {
                f.write_str(if index == 0 { "\n  " } else { ",\n  " })?;
                let (name, ty) = (Quoted(&field.name), OrVoid(field.ty));
                let (offset, size) = (field.offset_bits, field.size_bits);
                write!(f, "{name}: {ty} at {offset} bits {size}")?;
            }
            f.write_str(if fields.is_empty() { "}" } else { "\n}" })
        }
        DebugTypeData::Enumeration {
            name,
            bits,
            enumerators,
        } => {
            write!(f, "enum {} bits {bits} {{", Quoted(name))?;
            for (index, (name, value)) in enumerators.iter().enumerate() {
                f.write_str(if index == 0 { "\n  " } else { ",\n  " })?;
                write!(f, "{} = {value}", Quoted(name))?;
            }
            f.write_str(if enumerators.is_empty() { "}" } else { "\n}" })
        }
        DebugTypeData::Subroutine { signature } => {
            f.write_str("subroutine ")?;
            write_signature(f, signature)
        }
        DebugTypeData::Other { description } => write!(f, "other {}", Quoted(description)),
    }
}

fn write_signature(f: &mut Formatter<'_>, signature: &[Option<DebugType>]) -> fmt::Result {
    f.write_char('(')?;
    separated(f, signature, |f, ty| OrVoid(*ty).fmt(f))?;
    f.write_char(')')
}

struct OrVoid(Option<DebugType>);

impl Display for OrVoid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ty) => ty.fmt(f),
            None => f.write_str("void"),
        }
    }
}

pub(super) fn write_global(
    f: &mut Formatter<'_>,
    module: &Module,
    global: Global,
    data: &GlobalData,
) -> fmt::Result {
    let (linkage, name) = (data.linkage.name(), Quoted(&data.name));
    let (size, align) = (data.size, data.align);
    write!(
        f,
        "{global} = global {linkage} {name} size {size} align {align}"
    )?;
    if data.constant {
        f.write_str(" constant")?;
    }
    if data.thread_local {
        f.write_str(" thread_local")?;
    }
    if let Some(section) = &data.section {
        write!(f, " section {}", Quoted(section))?;
    }
    let initialiser = &data.initialiser;
    if initialiser.bytes.is_empty() && initialiser.relocations.is_empty() && data.info.is_none() {
        return writeln!(f);
    }
    writeln!(f, " {{")?;
    if let Some(info) = &data.info {
        write!(
            f,
            "  source {} {}:{}",
            Quoted(&info.name),
            info.file,
            info.line
        )?;
        match info.ty {
            Some(ty) => writeln!(f, " type {ty}")?,
            None => writeln!(f)?,
        }
    }
    write_bytes(f, &initialiser.bytes)?;
    for relocation in &initialiser.relocations {
        write!(f, "  at {} size {} = ", relocation.offset, relocation.size)?;
        write_untyped_constant(f, module, relocation.constant)?;
        if let Some(minus) = relocation.minus {
            f.write_str(" minus ")?;
            write_untyped_constant(f, module, minus)?;
        }
        writeln!(f)?;
    }
    writeln!(f, "}}")
}

/// A constant outside of a function has no type: addresses are spelled as pointers, bits
/// as `i128`.
pub(super) fn write_untyped_constant(
    f: &mut Formatter<'_>,
    module: &Module,
    constant: Constant,
) -> fmt::Result {
    let ty = match constant {
        Constant::Bits(_) | Constant::Undef => Type::I128,
        _ => Type::Ptr,
    };
    write_constant(f, module, ty, constant)
}

/// Splits `bytes` into long runs of zeros, readable strings, and the rest.
fn write_bytes(f: &mut Formatter<'_>, mut bytes: &[u8]) -> fmt::Result {
    const SHORTEST_ZERO_RUN: usize = 16;
    const SHORTEST_STRING: usize = 4;
    const LONGEST_STRING: usize = 80;
    const LONGEST_HEX: usize = 16;
    while !bytes.is_empty() {
        let zeros = leading_zeros(bytes);
        let taken = if zeros >= SHORTEST_ZERO_RUN || zeros == bytes.len() {
            writeln!(f, "  zero {zeros}")?;
            zeros
        } else {
            let mut readable = readable_prefix(bytes).min(LONGEST_STRING);
            let line = bytes[..readable].iter().position(|&byte| byte == b'\n');
            if let Some(line) = line
                && line >= SHORTEST_STRING
            {
                readable = line + 1;
            }
            if readable >= SHORTEST_STRING || readable == bytes.len() {
                // The zero that ends a C string belongs to it.
                let taken = readable + usize::from(bytes.get(readable) == Some(&0));
                write_byte_string(f, &bytes[..taken])?;
                taken
            } else {
                let mut taken = 1;
                while taken < bytes.len().min(LONGEST_HEX)
                    && readable_prefix(&bytes[taken..]) < SHORTEST_STRING
                    && leading_zeros(&bytes[taken..]) < SHORTEST_ZERO_RUN
                {
                    taken += 1;
                }
                f.write_str("  hex \"")?;
                for (index, byte) in bytes[..taken].iter().enumerate() {
                    let space = if index == 0 { "" } else { " " };
                    write!(f, "{space}{byte:02x}")?;
                }
                writeln!(f, "\"")?;
                taken
            }
        };
        bytes = &bytes[taken..];
    }
    Ok(())
}

/// How many zeros `bytes` starts with, counted as far as one run goes.
fn leading_zeros(bytes: &[u8]) -> usize {
    let run = bytes.iter().take(LONGEST_ZERO_RUN);
    run.take_while(|&&byte| byte == 0).count()
}

fn readable_prefix(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take(96)
        .take_while(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
        .count()
}

fn write_byte_string(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_str("  \"")?;
    for &byte in bytes {
        match byte {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            b'\n' => f.write_str("\\n")?,
            b'\t' => f.write_str("\\t")?,
            0 => f.write_str("\\0")?,
            _ => f.write_char(char::from(byte))?,
        }
    }
    f.write_str("\"\n")
}
