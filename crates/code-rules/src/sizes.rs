//! How long functions are, and how many fields structs have.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::sources::is_test;
use crate::{Crate, Module};

/// Lines of a function, from its signature to its closing brace.
pub const MOST_LINES: usize = 100;
/// Fields of a struct.
pub const MOST_FIELDS: usize = 15;

/// A function or struct that is larger than the rule allows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TooLarge {
    /// As in `concolic-vm::step::step_until_end`.
    pub name: String,
    pub what: &'static str,
    pub size: usize,
}

/// Everything in a crate that is too large. Structs that clap makes from arguments may have any number of fields.
pub fn too_large(one: &Crate) -> Vec<TooLarge> {
    let mut found = Vec::new();
    for module in &one.modules {
        let mut measure = Measure {
            prefix: prefix(one, module),
            found: &mut found,
        };
        measure.visit_file(&module.syntax);
    }
    found.sort();
    found
}

fn prefix(one: &Crate, module: &Module) -> String {
    let mut names = vec![one.name.clone()];
    names.extend(module.path.iter().cloned());
    names.join("::")
}

struct Measure<'f> {
    prefix: String,
    found: &'f mut Vec<TooLarge>,
}

impl Measure<'_> {
    fn note(&mut self, name: &syn::Ident, what: &'static str, size: usize, most: usize) {
        if size > most {
            self.found.push(TooLarge {
                name: format!("{}::{name}", self.prefix),
                what,
                size,
            });
        }
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.span().start().line;
        let last = block.span().end().line;
        self.note(
            &signature.ident,
            "lines of function",
            last - first + 1,
            MOST_LINES,
        );
    }
}

impl<'ast> Visit<'ast> for Measure<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if !is_of_arguments(&item.attrs) {
            self.note(
                &item.ident,
                "fields of struct",
                item.fields.len(),
                MOST_FIELDS,
            );
        }
    }
}

/// Whether clap fills a struct from the command line.
fn is_of_arguments(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let mut derives = false;
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                derives |= meta.path.is_ident("Args") || meta.path.is_ident("Parser");
                Ok(())
            });
        }
        derives
    })
}
