//! The driver of one version: a C program that takes the function's arguments from the input, calls it, and writes
//! what is compared as raw bytes, one file for each thing (`observe.c`). The same program runs in the VM and natively.
//!
//! It includes the source of the version, so it can call `static` functions and name the version's types.

use std::fmt::Write;

use super::find::{Function, Reach, including};
use super::layout::{Block, first_element, value};
use super::space::{Common, Encoding, Input, KnownObject, Observed, View, result};
use crate::call::CallObservable;
use crate::types::{Scalar, Shape};

/// The part that all drivers share.
pub(crate) const OBSERVE: &str = include_str!("observe.c");

const HEAD: &str = r#"#line 1 "parallax_driver.c"
struct parallax_block {
	const unsigned char *start;
	__SIZE_TYPE__ size;
};
void parallax_symbolic(void *, __SIZE_TYPE__, const char *);
void parallax_clear_errno(void);
void parallax_observe(const char *, const void *, __SIZE_TYPE__);
void parallax_observe_errno(const char *);
int parallax_observe_pointer(const char *, const void *, const struct parallax_block *, __SIZE_TYPE__);
void parallax_observe_text(const char *, const char *);
"#;

/// The driver's text. `assumed` are conditions in C over the parameters: without them the function is not called.
pub(crate) fn driver(
    function: &Function,
    view: &View,
    common: &Common,
    assumed: &[String],
    exact: bool,
) -> String {
    let mut driver = Driver {
        function,
        view,
        common,
        exact,
        text: including(&function.source) + HEAD,
    };
    driver.declare_globals();
    for number in 0..common.behind.len() {
        let name = behind(number);
        driver.text += &format!("__attribute__((noinline)) void {name}(void) {{}}\n");
    }
    driver.text += "int main(void)\n{\n\tint parallax_fits = 1;\n";
    driver.make_arguments();
    driver.line("if (!parallax_fits) return 0;");
    driver.assume(assumed);
    driver.call();
    let observed = common.observed.iter();
    // The first is the result; `errno` must be read before anything else happens.
    let (errno, others): (Vec<_>, Vec<_>) =
        observed.partition(|observed| observed.what == CallObservable::Errno);
    for observed in errno {
        driver.line(&format!("parallax_observe_errno(\"{}\");", observed.file));
    }
    for observed in others {
        driver.observe(observed);
    }
    driver.text + "\treturn 0;\n}\n"
}

/// A function that a driver calls when a pointer has elements that are not compared.
pub(crate) fn behind(number: usize) -> String {
    format!("parallax_behind_{number}")
}

struct Driver<'d> {
    function: &'d Function,
    view: &'d View,
    common: &'d Common,
    exact: bool,
    text: String,
}

impl Driver<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "\t{line}");
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.view.blocks.iter().flatten()
    }

    /// Globals of other sources have names of our own, which no declaration of the program can contradict.
    fn declare_globals(&mut self) {
        for observed in &self.common.observed {
            if let CallObservable::Global(name) = &observed.what
                && self.reach(name) == Some(Reach::BySymbol)
            {
                let _ = writeln!(
                    self.text,
                    "extern unsigned char parallax_global_{name}[] __asm__(\"{name}\");"
                );
            }
        }
    }

    fn reach(&self, global: &str) -> Option<Reach> {
        let mut globals = self.function.globals.iter();
        Some(globals.find(|other| other.name == global)?.reach)
    }

    fn make_arguments(&mut self) {
        let blocks: Vec<Block> = self.blocks().cloned().collect();
        for block in &blocks {
            let (name, size) = (block.in_c(), block.size);
            self.line(&format!(
                "unsigned char {name}[{size}] __attribute__((aligned(16))) = {{0}};"
            ));
        }
        for block in &blocks {
            let name = block.in_c();
            for leaf in block.leaves.iter().filter(|leaf| leaf.is_input) {
                let mut inputs = self.common.inputs.iter();
                if let Some(input) = inputs.find(|input| input.name == leaf.name) {
                    let place = format!("{name} + {}", leaf.offset);
                    self.take(input, &leaf.scalar, &place);
                }
            }
            for link in &block.links {
                let target = blocks.iter().find(|target| target.name == link.name);
                let target = target.expect("a pointer has a block").in_c();
                self.line(&format!("*(void **)({name} + {}) = {target};", link.offset));
            }
        }
        let ignored = self.common.inputs.iter().filter(|input| {
            let mut leaves = blocks.iter().flat_map(|block| &block.leaves);
            !leaves.any(|leaf| leaf.name == input.name)
        });
        for input in ignored.collect::<Vec<_>>() {
            let (size, name) = (input.scalar.bytes(), &input.name);
            self.line(&format!(
                "{{ unsigned char ignored[{size}]; parallax_symbolic(ignored, {size}, \"{name}\"); }}"
            ));
        }
    }

    /// Puts a value of the input where the function expects it.
    fn take(&mut self, input: &Input, own: &Scalar, place: &str) {
        let name = &input.name;
        let size = input.scalar.bytes();
        if input.differing.is_none() && own.is_like(&input.scalar) {
            self.line(&format!("parallax_symbolic({place}, {size}, \"{name}\");"));
            if *own == Scalar::Truth {
                self.line(&format!("*({place}) &= 1;"));
            }
            return;
        }
        let wide = input.scalar.in_c();
        let fits = |narrow: &Scalar| match narrow {
            Scalar::Float(_) => format!("((({})wide == wide) | (wide != wide))", narrow.in_c()),
            _ => format!("((__int128)({})wide == (__int128)wide)", narrow.in_c()),
        };
        let both = input.differing.iter().flatten();
        let both: Vec<String> = both.map(fits).collect();
        let both = match both.is_empty() {
            true => fits(own),
            false => both.join(" & "),
        };
        self.line(&format!(
            "{{ {wide} wide; parallax_symbolic(&wide, sizeof wide, \"{name}\"); parallax_fits &= {both}; *({0} *)({place}) = \
             ({0})wide; }}",
            own.in_c()
        ));
    }

    /// The user's own bounds, over variables of the parameters' names.
    fn assume(&mut self, assumed: &[String]) {
        if assumed.is_empty() {
            return;
        }
        self.line("{");
        for (at, shared) in self.common.parameters.iter().enumerate() {
            let block = &self.view.blocks[at][0];
            let is_word = shared
                .name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_');
            let is_own = self.view.order.contains(&at);
            let ty = match self.own_shape(at) {
                Shape::Struct { .. } | Shape::Pointer { .. } if !is_own => continue,
                shape => shape.in_c(),
            };
            let (name, memory) = (&shared.name, block.in_c());
            if !is_word {
                continue;
            }
            let line = match block.by_value {
                true => format!("\t{ty} {name} = *({ty} *){memory};"),
                false => format!("\t{ty} {name} = (void *){memory};"),
            };
            self.line(&line);
        }
        for condition in assumed {
            self.line(&format!("\tif (!({condition})) return 0;"));
        }
        self.line("}");
    }

    /// The shape of a shared parameter in this version.
    fn own_shape(&self, shared: usize) -> Shape {
        let own = self.view.order.iter().position(|&at| at == shared);
        let own = own.map(|own| &self.function.parameters[own].shape);
        own.unwrap_or(&self.common.parameters[shared].shape).clone()
    }

    fn call(&mut self) {
        let arguments: Vec<String> = self
            .view
            .order
            .iter()
            .zip(&self.function.parameters)
            .map(|(&at, parameter)| {
                let block = &self.view.blocks[at][0];
                match block.by_value {
                    true => format!("*({} *){}", parameter.shape.in_c(), block.in_c()),
                    false => format!("(void *){}", block.in_c()),
                }
            })
            .collect();
        let call = format!("({})({});", self.function.name, arguments.join(", "));
        self.line("parallax_clear_errno();");
        match self.function.returns {
            Ok(None) => self.line(&call),
            _ => self.line(&format!("__auto_type parallax_result = {call}")),
        }
        let mut entries = Vec::new();
        for object in self.common.known_objects() {
            let entry = match object {
                KnownObject::Argument(name) => {
                    let block = self.blocks().find(|block| block.name == name);
                    block.map(|block| format!("{{{}, {}}}", block.in_c(), block.size))
                }
                KnownObject::Global(name) => self
                    .global(&name)
                    .map(|(base, shape)| format!("{{{base}, {}}}", shape.size())),
            };
            entries.push(entry.unwrap_or_else(|| "{0, 0}".to_owned()));
        }
        entries.push("{0, 0}".to_owned());
        self.line(&format!(
            "const struct parallax_block parallax_blocks[] = {{{}}};",
            entries.join(", ")
        ));
    }

    fn observe(&mut self, observed: &Observed) {
        let file = &observed.file;
        let (base, block) = match &observed.what {
            CallObservable::Returned => match &self.function.returns {
                Ok(Some(shape)) => (
                    "(unsigned char *)&parallax_result".to_owned(),
                    result(shape),
                ),
                _ => ("0".to_owned(), value("", "", &Shape::Scalar(Scalar::Truth))),
            },
            CallObservable::Argument(name) => {
                let block = self.blocks().find(|block| block.name == *name).cloned();
                let Some(block) = block else { return };
                (block.in_c(), block)
            }
            CallObservable::Global(name) => {
                let Some((base, shape)) = self.global(name) else {
                    return;
                };
                (base, value(name, &format!("{name}."), shape))
            }
            CallObservable::Errno => return,
        };
        if observed.parts.is_empty() {
            self.line(&format!("parallax_observe(\"{file}\", \"\", 0);"));
        }
        for part in &observed.parts {
            if let Encoding::Scalar(scalar) = &part.encoding {
                let leaf = block.leaves.iter().find(|leaf| leaf.name == part.name);
                if let Some(leaf) = leaf {
                    let place = format!("{base} + {}", leaf.offset);
                    self.observe_scalar(file, &place, &leaf.scalar, scalar);
                }
                continue;
            }
            let link = block.links.iter().find(|link| link.name == part.name);
            if let Some(link) = link {
                let pointer = format!("*(void **)({base} + {})", link.offset);
                self.observe_pointer(file, &pointer, &link.name, &link.shape, &part.encoding);
            }
        }
    }

    /// How a global is reached, and its shape.
    fn global(&self, name: &str) -> Option<(String, &Shape)> {
        let mut globals = self.function.globals.iter();
        let global = globals.find(|global| global.name == name)?;
        let base = match global.reach {
            Reach::BySymbol => format!("parallax_global_{name}"),
            _ => format!("(unsigned char *)&{name}"),
        };
        Some((base, global.shape.as_ref().ok()?))
    }

    fn observe_scalar(&mut self, file: &str, place: &str, own: &Scalar, common: &Scalar) {
        let line = match own.is_like(common) {
            // C leaves the bits of a NaN open.
            _ if matches!(common, Scalar::Float(_)) && !self.exact => format!(
                "{{ {0} value = *({1} *)({place}); if (value != value) value = __builtin_nan(\"\"); parallax_observe(\"{file}\", \
                 &value, sizeof value); }}",
                common.in_c(),
                own.in_c()
            ),
            true => format!("parallax_observe(\"{file}\", {place}, {});", own.bytes()),
            false => format!(
                "{{ {} wide = *({} *)({place}); parallax_observe(\"{file}\", &wide, sizeof wide); }}",
                common.in_c(),
                own.in_c()
            ),
        };
        self.line(&line);
    }

    fn observe_pointer(
        &mut self,
        file: &str,
        pointer: &str,
        name: &str,
        shape: &Shape,
        encoding: &Encoding,
    ) {
        let count = self.common.known_objects().len();
        self.line(&format!(
            "if (parallax_observe_pointer(\"{file}\", {pointer}, parallax_blocks, {count})) {{"
        ));
        match encoding {
            Encoding::Pointer {
                leaves,
                behind: number,
            } => {
                self.line(&format!("{}();", behind(*number)));
                for own in first_element(name, shape) {
                    let common = leaves.iter().find(|(name, _)| *name == own.name);
                    if let Some((_, common)) = common {
                        let place = format!("(unsigned char *){pointer} + {}", own.offset);
                        self.observe_scalar(file, &place, &own.scalar, common);
                    }
                }
            }
            _ => self.line(&format!("parallax_observe_text(\"{file}\", {pointer});")),
        }
        self.line("}");
    }
}
