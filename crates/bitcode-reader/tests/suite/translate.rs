//! Modules and what they are translated into.
//!
//! Every `translate/*.ll` has its translation beside it, as text; `BLESS=1 cargo test -p
//! bitcode-reader --test suite translate` rewrites the translations. Modules of real compilers
//! differ from one version to the next: of those, properties are tested.

use crate::support;

use crate::support::{run, scratch, tests_folder};
use bitcode_reader::{ReadError, ReadOptions, read_module};
use program_ir::{DebugTypeData, Module, VariablePlace};
use std::process::Command;

#[test]
fn golden_translations() {
    let mut count = 0;
    for entry in std::fs::read_dir(tests_folder().join("translate")).expect("it exists") {
        let source = entry.expect("it can be listed").path();
        if source.extension().is_none_or(|extension| extension != "ll") {
            continue;
        }
        let text = program_ir::print_module(&support::read(&source));
        let golden = source.with_extension("ir");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, text).expect("the folder is writable");
        } else {
            let expected = std::fs::read_to_string(&golden).unwrap_or_default();
            for (number, (left, right)) in expected.lines().zip(text.lines()).enumerate() {
                let place = format!("{}:{}", golden.display(), number + 1);
                assert_eq!(left, right, "{place} (expected left); BLESS=1 accepts it");
            }
            assert_eq!(expected.lines().count(), text.lines().count(), "{golden:?}");
        }
        count += 1;
    }
    assert!(count >= 6, "only {count} inputs found");
}

#[test]
fn debug_information_of_c() {
    let module = support::read(&tests_folder().join("translate/debug_info.ll"));
    let types = &module.source.types;
    let list = types.iter().find_map(|(ty, data)| match data {
        DebugTypeData::Composite { name, fields, .. } if name == "list" => Some((ty, fields)),
        _ => None,
    });
    let (list, fields) = list.expect("struct list is described");
    let next = fields[1].ty.expect("a member has a type");
    assert_eq!(types[next], DebugTypeData::Pointer { to: Some(list) });
    let enumeration = types.values().find_map(|data| match data {
        DebugTypeData::Enumeration { enumerators, .. } => Some(enumerators.as_slice()),
        _ => None,
    });
    let expected = [("RED", 0), ("GREEN", 5), ("BLUE", -1)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(enumeration, Some(&expected[..]));

    let global = |name: &str| module.globals.values().find(|global| global.name == name);
    let hidden = global("sum.last").and_then(|global| global.info.as_ref());
    assert_eq!(
        hidden.map(|info| (info.name.as_str(), info.line)),
        Some(("last", 15))
    );

    let sum = &module.functions[module.function_named("sum").expect("it is defined")];
    let named = |name: &str| sum.variables.iter().find(|(_, data)| data.name == name);
    for (name, parameter) in [("first", 1), ("colour", 2), ("name", 3), ("result", 0)] {
        let (variable, data) = named(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(data.parameter, parameter, "{name}");
        let has_value = sum.bindings.iter().any(|binding| {
            binding.variable == variable && matches!(binding.place, VariablePlace::Value(_))
        });
        assert!(has_value, "{name} has no value");
    }
    let inlined = sum.insts.values().find_map(|node| {
        let loc = node.loc?;
        let outer = module.source.locs[loc].inlined_at?;
        Some((
            module.source.function_name(loc)?,
            module.source.function_name(outer)?,
        ))
    });
    assert_eq!(inlined, Some(("square", "sum")));
}

#[test]
fn rust_with_its_standard_library() {
    let folder = scratch("translate-rust");
    let output = folder.join("program.bc");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-O", "-g", "--emit=llvm-bc"]);
    for option in [
        "lto=fat",
        "embed-bitcode=yes",
        "codegen-units=1",
        "panic=abort",
    ] {
        rustc.args(["-C", option]);
    }
    let source = tests_folder().join("translate/rust_program.rs");
    run(rustc
        .arg(&source)
        .arg("-o")
        .arg(&output)
        .current_dir(&folder));
    let module = support::read(&output);
    let missing = support::unsupported(&module);
    assert!(missing.is_empty(), "{missing:#?}");
    let fields = composite(&module, "Tree");
    assert_eq!(fields, ["value", "children"]);
    // The discriminant and one field per variant.
    let variants = composite(&module, "Shape");
    for variant in ["Circle", "Square", "Nothing"] {
        assert!(
            variants.iter().any(|field| field == variant),
            "{variants:?}"
        );
    }
}

fn composite(module: &Module, wanted: &str) -> Vec<String> {
    let mut types = module.source.types.values();
    let fields = types.find_map(|data| match data {
        DebugTypeData::Composite { name, fields, .. } if name == wanted && !fields.is_empty() => {
            Some(fields)
        }
        _ => None,
    });
    let fields = fields.unwrap_or_else(|| panic!("{wanted} is not described"));
    fields.iter().map(|field| field.name.clone()).collect()
}

#[test]
fn other_targets_are_refused() {
    for triple in ["aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc", ""] {
        let text = format!("target triple = \"{triple}\"\ndefine i32 @main() {{ ret i32 0 }}\n");
        let error = read_module(text.as_bytes(), &ReadOptions::default());
        assert!(
            matches!(error, Err(ReadError::OtherTarget(_))),
            "{triple}: {error:?}"
        );
    }
}

#[test]
fn bitcode_of_another_llvm_is_refused() {
    let error = read_module(&identified_as("LLVM14.0.6"), &ReadOptions::default());
    let Err(ReadError::OtherLlvm { producer }) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(producer, "LLVM14.0.6");
    // The same without another version: then it is LLVM that finds no module in it.
    let error = read_module(&identified_as("LLVM22.1.0"), &ReadOptions::default());
    assert!(matches!(error, Err(ReadError::Malformed(_))), "{error:?}");
}

/// A bitcode file that holds nothing but an identification block.
fn identified_as(producer: &str) -> Vec<u8> {
    let mut bits = Bits(Vec::new());
    // Enter block 13, in which ids are 3 bits wide; its length follows, in words.
    bits.fixed(1, 2);
    bits.fixed(13, 8);
    bits.fixed(3, 4);
    bits.align();
    bits.fixed(64, 32);
    // Record 1, without abbreviation: the characters, one number each.
    bits.fixed(3, 3);
    bits.number(1);
    bits.number(producer.len() as u64);
    for character in producer.bytes() {
        bits.number(character.into());
    }
    bits.align();
    let bytes = bits.0.chunks(8).map(|byte| {
        let bits = byte.iter().rev();
        bits.fold(0, |byte, &bit| byte << 1 | u8::from(bit))
    });
    b"BC\xc0\xde".iter().copied().chain(bytes).collect()
}

struct Bits(Vec<bool>);

impl Bits {
    fn fixed(&mut self, value: u64, width: u32) {
        self.0.extend((0..width).map(|bit| value >> bit & 1 == 1));
    }

    /// Five bits at a time, each with a bit that says whether more follow.
    fn number(&mut self, mut value: u64) {
        while value > 31 {
            self.fixed(value & 31 | 32, 6);
            value >>= 5;
        }
        self.fixed(value, 6);
    }

    fn align(&mut self) {
        let length = self.0.len().next_multiple_of(32);
        self.0.resize(length, false);
    }
}
