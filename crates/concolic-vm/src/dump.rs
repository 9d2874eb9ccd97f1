//! Decoded functions as text, for people to read.

use crate::Program;
use crate::program::Body;
use program_ir::{EntityRef, Func, Inst};
use std::fmt::Write;

impl Program {
    /// The operations that the machine steps over for one function, with the instruction each comes from.
    pub fn dump_code(&self, func: Func) -> String {
        let name = &self.module.functions[func].name;
        let mut text = format!("{func} {name:?}");
        let code = match &self.functions[func.index()].body {
            Body::Code(code) => code,
            Body::Builtin(builtin) => return text + &format!(": builtin {builtin:?}\n"),
            Body::Missing => return text + ": not defined\n",
        };
        write(
            &mut text,
            format_args!(
                ": {} operations, {} slots, {} of them parameters\n",
                code.ops.len(),
                code.slots,
                code.param_words
            ),
        );
        for (pc, (op, &origin)) in code.ops.iter().zip(&code.origins).enumerate() {
            for (block, _) in code
                .block_starts
                .iter()
                .enumerate()
                .filter(|(_, start)| **start as usize == pc)
            {
                write(&mut text, format_args!("block{block}:\n"));
            }
            let origin = match origin {
                u32::MAX => "edge".to_owned(),
                inst => Inst::from_u32(inst).to_string(),
            };
            write(&mut text, format_args!("{pc:6}  {origin:<9} {op:?}\n"));
        }
        table(&mut text, "operand", &code.pool);
        table(&mut text, "literal", &code.literals);
        table(&mut text, "pure", &code.pures);
        table(&mut text, "site", &code.sites);
        table(&mut text, "switch", &code.switches);
        table(&mut text, "message", &code.messages);
        text
    }
}

/// What operations refer to by index.
fn table(text: &mut String, name: &str, entries: &[impl std::fmt::Debug]) {
    for (index, entry) in entries.iter().enumerate() {
        write(text, format_args!("  {name} {index}: {entry:?}\n"));
    }
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes all text");
}
