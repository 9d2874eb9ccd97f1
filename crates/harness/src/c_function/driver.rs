//! The driver of one version: a C program that takes the function's arguments from the input, calls it, and writes
//! what is compared as raw bytes, one file for each thing (`observe.c`). The same program runs in the VM and natively.
//!
//! It includes the source of the version, so it can call `static` functions and name the version's types. Where a pointer
//! points to is asked before what it points to is made, so that no two inputs differ in memory that nothing points to.

use std::fmt::Write;

use super::find::{Function, Reach, including};
use super::kept;
use super::layout::{Block, Leaf, Link};
use super::space::{Choice, Common, Content, Input, Observed, View, stream_file};
use crate::call::CallObservable;
use crate::types::{Scalar, Shape, Signature};

/// The part that all drivers share.
pub(crate) const OBSERVE: &str = include_str!("observe.c");

/// What drivers call of it.
pub(crate) const HEAD: &str = r#"#line 1 "parallax_driver.c"
void parallax_symbolic(void *, __SIZE_TYPE__, const char *);
void *parallax_static(const char *, __SIZE_TYPE__);
void parallax_clear_errno(void);
void parallax_observe(const char *, const void *, __SIZE_TYPE__);
void parallax_observe_errno(const char *);
void *parallax_block(__SIZE_TYPE__, __SIZE_TYPE__);
void parallax_known(const char *const *, const void *const *, __SIZE_TYPE__);
void parallax_forget(void);
void parallax_enter_call(void);
void parallax_leave_call(void);
int parallax_gone(const char *, const void *);
void parallax_see(const char *, const void *, void (*)(const char *, const unsigned char *, const unsigned char *), __SIZE_TYPE__, int, int);
void parallax_look(const unsigned char *, __SIZE_TYPE__, int);
void parallax_see_opaque(const char *, const void *);
void parallax_see_function(const char *, const void *);
void parallax_see_text(const char *, const char *);
void parallax_put_bits(unsigned char *, unsigned, unsigned, unsigned long);
unsigned long parallax_get_bits(const unsigned char *, unsigned, unsigned, int);
void *parallax_stream(const char *, const unsigned char *, __SIZE_TYPE__);
void parallax_see_stream(const char *, void *);
"#;

/// The driver's text. `assumed` are conditions in C over the parameters: without them the function is not called.
pub(crate) fn driver(
    function: &Function,
    view: &View,
    common: &Common,
    version: usize,
    assumed: &[String],
) -> String {
    let mut driver = Driver {
        function,
        view,
        common,
        version,
        member: None,
        text: including(&function.source) + HEAD,
    };
    driver.declare_globals();
    driver.text += &common.seen.functions(version);
    driver.define_callbacks();
    driver.text += "int main(void)\n{\n\tint parallax_fits = 1;\n";
    driver.make_arguments();
    driver.line("if (!parallax_fits) return 0;");
    driver.tie_lengths();
    driver.assume(assumed);
    driver.call();
    let observed = common.observed.iter();
    driver.observe_all(observed);
    driver.text + "\treturn 0;\n}\n"
}

/// Where a driver calls several functions one after the other: what is particular to one of them.
#[derive(Clone, Copy)]
pub(crate) struct Member<'d> {
    /// What stands before the names of its inputs, behind that of the call (`parallax_named`).
    pub(crate) prefix: &'d str,
    /// Arguments that are no input of their own, as C expressions, each with its place.
    pub(crate) given: &'d [(usize, String)],
}

/// The text of a driver as it is written.
pub(crate) struct Driver<'d> {
    pub(crate) function: &'d Function,
    pub(crate) view: &'d View,
    pub(crate) common: &'d Common,
    pub(crate) version: usize,
    pub(crate) member: Option<Member<'d>>,
    pub(crate) text: String,
}

impl Driver<'_> {
    /// An input's name, as a C expression.
    fn name(&self, name: &str) -> String {
        match self.member {
            None => format!("\"{name}\""),
            Some(member) => format!("parallax_named(\"{}{name}\")", member.prefix),
        }
    }

    /// The file that something is written to, as a C expression.
    fn file(&self, observed: &Observed) -> String {
        match self.member {
            None => format!("\"{}\"", observed.file),
            Some(_) => "parallax_file".to_owned(),
        }
    }

    /// How a block is known after the call.
    fn block(&self, number: usize) -> String {
        match self.member {
            None => number.to_string(),
            Some(_) => format!("parallax_first_block + {number}"),
        }
    }

    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "\t{line}");
    }

    /// Globals of other sources have names of our own, which no declaration of the program can contradict.
    pub(crate) fn declare_globals(&mut self) {
        for global in &self.function.globals {
            if global.reach == Reach::BySymbol {
                let name = &global.name;
                let _ = writeln!(
                    self.text,
                    "extern unsigned char parallax_global_{name}[] __asm__(\"{name}\");"
                );
            }
        }
    }

    /// Where a variable lies.
    fn global(&self, name: &str) -> Option<String> {
        let mut globals = self.function.globals.iter();
        let global = globals.find(|other| other.name == name)?;
        Some(match global.reach {
            Reach::BySymbol => format!("parallax_global_{name}"),
            Reach::ByName => format!("(unsigned char *)&{name}"),
            Reach::ByTable => {
                let size = global.shape.as_ref().map_or(0, Shape::size);
                format!("(unsigned char *)parallax_static(\"{name}\", {size})")
            }
            Reach::Not => return None,
        })
    }

    /// A function for each pointer to one. It says that it was called, with what, and answers what the input says.
    pub(crate) fn define_callbacks(&mut self) {
        let names = self.common.callbacks();
        let links: Vec<Link> = self
            .view
            .all()
            .flat_map(|block| block.links.iter().cloned())
            .collect();
        let mut known = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let link = links.iter().find(|link| link.name == *name);
            let Some(Shape::Function(signature)) = link.map(|link| &link.shape) else {
                known.push("0".to_owned());
                continue;
            };
            known.push(format!("(const void *)parallax_callback_{number}"));
            self.define_callback(number, name, signature);
        }
        known.push("0".to_owned());
        let _ = writeln!(
            self.text,
            "static const void *const parallax_callbacks[] = {{{}}};",
            known.join(", ")
        );
        let shared = self.function.globals.iter().filter(|global| {
            let mut both = self.common.observed.iter();
            both.any(|other| other.what == CallObservable::Global(global.name.clone()))
        });
        let shared: String = shared
            .map(|global| format!("\"{}\", ", global.name))
            .collect();
        let _ = writeln!(
            self.text,
            "static const char *const parallax_shared[] = {{{shared}0}};"
        );
    }

    fn define_callback(&mut self, number: usize, name: &str, signature: &Signature) {
        let takes = signature.takes.iter().zip(0..);
        let takes: Vec<String> = takes
            .map(|(shape, at)| format!("{} parallax_{at}", shape.in_c()))
            .collect();
        let takes = match takes.is_empty() {
            true => "void".to_owned(),
            false => takes.join(", "),
        };
        let returns = signature.returns.as_ref();
        let result = returns.map_or("void".to_owned(), Shape::in_c);
        let _ = writeln!(
            self.text,
            "static {result} parallax_callback_{number}({takes})\n{{\n\tunsigned char called = {number};\n\tparallax_enter_call();\n\t\
             parallax_observe(\"parallax.calls\", &called, 1);"
        );
        let pairs = self.common.call_types(name);
        for (pair, at) in pairs.iter().zip(0..) {
            let place = format!("(const unsigned char *)&parallax_{at}");
            let end = format!("({place}) + {}", pair[self.version].size());
            let mut text = String::new();
            let pair = [&pair[0], &pair[1]];
            let seen = &self.common.seen;
            seen.write(
                self.version,
                pair,
                "\"parallax.calls\"",
                &place,
                &end,
                &mut text,
            );
            self.text += &text;
        }
        self.line("parallax_leave_call();");
        match returns {
            None => {}
            Some(Shape::Scalar(scalar)) => {
                let size = scalar.bytes();
                self.line(&format!("{result} answer = 0;"));
                self.line(&format!(
                    "parallax_symbolic(&answer, {size}, \"{name}()\");"
                ));
                if *scalar == Scalar::Truth {
                    self.line("*(unsigned char *)&answer &= 1;");
                }
                self.line("return answer;");
            }
            Some(shape) => {
                // Its numbers are any; what it would point to nobody has made.
                self.line(&format!("static {result} answer;"));
                let layout = self.common.layout(self.function, &[]);
                let made = layout.blocks(&format!("{name}()"), shape);
                for leaf in &made[0].leaves {
                    self.answer(leaf);
                }
                self.line("return answer;");
            }
        }
        self.text += "}\n";
    }

    /// A number in the struct that a function of ours answers.
    fn answer(&mut self, leaf: &Leaf) {
        let (size, name) = (leaf.scalar.bytes(), &leaf.name);
        let place = format!("(unsigned char *)&answer + {}", leaf.offset);
        let line = match leaf.bits {
            Some(bits) => format!(
                "{{ unsigned long wide = 0; parallax_symbolic(&wide, {size}, \"{name}\"); parallax_put_bits({place}, {}, {}, \
                 wide); }}",
                bits.first, bits.width
            ),
            None => format!("parallax_symbolic({place}, {size}, \"{name}\");"),
        };
        self.line(&line);
        if leaf.scalar == Scalar::Truth && leaf.bits.is_none() {
            self.line(&format!("*({place}) &= 1;"));
        }
    }

    fn number(&self, block: &str) -> usize {
        let names = self.common.block_names();
        names.iter().position(|name| name == block).unwrap_or(0)
    }

    pub(crate) fn make_arguments(&mut self) {
        for number in 0..self.common.block_names().len() {
            self.line(&format!("unsigned char *block_{number} = 0;"));
        }
        let view = self.view;
        for (at, root) in view.blocks.iter().enumerate() {
            let (name, size) = (format!("argument_{at}"), root[0].size.max(1));
            self.line(&format!(
                "unsigned char {name}[{size}] __attribute__((aligned(16))) = {{0}};"
            ));
            self.fill(root, &root[0], &name);
        }
        for root in &view.globals {
            if let Some(place) = self.global(&root[0].name) {
                self.fill(root, &root[0], &place);
            }
        }
        let ignored = self.common.inputs.iter().filter(|input| {
            let mut leaves = self.view.all().flat_map(|block| &block.leaves);
            !leaves.any(|leaf| leaf.name == input.name)
        });
        for input in ignored.collect::<Vec<_>>() {
            let (size, name) = (input.scalar.bytes(), self.name(&input.name));
            self.line(&format!(
                "{{ unsigned char ignored[{size}]; parallax_symbolic(ignored, {size}, {name}); }}"
            ));
        }
        for at in 0..self.common.further {
            self.line(&format!(
                "long further_{at}; parallax_symbolic(&further_{at}, 8, \"...[{at}]\");"
            ));
        }
    }

    /// Gives a block its values, and makes what its pointers point to.
    fn fill(&mut self, root: &[Block], block: &Block, base: &str) {
        for leaf in block.leaves.iter().filter(|leaf| leaf.is_input) {
            let common = self.common;
            if let Some(input) = common.inputs.iter().find(|input| input.name == leaf.name) {
                self.take(input, leaf, &format!("{base} + {}", leaf.offset));
            }
        }
        for link in &block.links {
            self.point(root, link, &format!("*(void **)({base} + {})", link.offset));
        }
    }

    /// Makes a pointer point to one of its choices.
    fn point(&mut self, root: &[Block], link: &Link, pointer: &str) {
        let choices = self.common.choices_of(&link.name).to_vec();
        let name = &link.name;
        let is_choice = choices.len() > 1;
        if is_choice {
            self.line("{ unsigned char choice;");
            let name = self.name(name);
            self.line(&format!("parallax_symbolic(&choice, 1, {name});"));
        }
        for (number, choice) in choices.iter().enumerate().skip(1) {
            self.line(&format!("if (choice == {number}) {{"));
            self.choose(root, link, choice, pointer);
            self.line("} else");
        }
        self.line("{");
        self.choose(root, link, &choices[0], pointer);
        self.line(if is_choice { "} }" } else { "}" });
    }

    fn choose(&mut self, root: &[Block], link: &Link, choice: &Choice, pointer: &str) {
        let name = &link.name;
        match choice {
            Choice::First => {}
            Choice::Null => self.line(&format!("{pointer} = 0;")),
            Choice::Alias(other) => {
                let number = self.number(other);
                self.line(&format!("{pointer} = block_{number};"));
            }
            Choice::Fresh => match &link.shape {
                Shape::Function(_) => {
                    let names = self.common.callbacks();
                    let number = names.iter().position(|other| other == name).unwrap_or(0);
                    self.line(&format!("{pointer} = (void *)parallax_callback_{number};"));
                }
                Shape::Stream => self.make_stream(name, pointer),
                _ => {
                    let mut blocks = root.iter();
                    let own = blocks.find(|block| block.name == *name && !block.by_value);
                    let Some(own) = own else { return };
                    let (number, size) = (self.number(name), own.size);
                    let known = self.block(number);
                    self.line(&format!(
                        "{pointer} = block_{number} = parallax_block({known}, {size});"
                    ));
                    self.fill(root, own, &format!("block_{number}"));
                }
            },
        }
    }

    fn make_stream(&mut self, name: &str, pointer: &str) {
        let most = self.common.extent.elements;
        self.line(&format!(
            "unsigned char bytes[{}]; unsigned char length; parallax_symbolic(&length, 1, \"{name}.length\");",
            most.max(1)
        ));
        self.line("unsigned long count = 0;");
        for at in 0..most {
            self.line(&format!(
                "if (length > {at}) {{ parallax_symbolic(bytes + {at}, 1, \"{name}[{at}]\"); count = {at} + 1; }}"
            ));
        }
        let file = stream_file(name);
        self.line(&format!(
            "{pointer} = parallax_stream(\"{file}\", bytes, count);"
        ));
    }

    /// Puts a value of the input where the function expects it.
    fn take(&mut self, input: &Input, leaf: &Leaf, place: &str) {
        let own = &leaf.scalar;
        let name = self.name(&input.name);
        let size = input.scalar.bytes();
        if input.differing.is_none() && own.is_like(&input.scalar) {
            if let Some(bits) = leaf.bits {
                self.line(&format!(
                    "{{ unsigned long wide = 0; parallax_symbolic(&wide, {size}, {name}); parallax_put_bits({place}, {}, {}, \
                     wide); }}",
                    bits.first, bits.width
                ));
                return;
            }
            self.line(&format!("parallax_symbolic({place}, {size}, {name});"));
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
        let put = match leaf.bits {
            None => format!("*({0} *)({place}) = ({0})wide;", own.in_c()),
            Some(bits) => format!(
                "parallax_put_bits({place}, {}, {}, (unsigned long)wide);",
                bits.first, bits.width
            ),
        };
        self.line(&format!(
            "{{ {wide} wide; parallax_symbolic(&wide, sizeof wide, {name}); parallax_fits &= {both}; {put} }}"
        ));
    }

    /// A length is at most the number of elements that there are.
    pub(crate) fn tie_lengths(&mut self) {
        for (pointer, length) in &self.common.lengths {
            let mut all = self.common.parameters.iter();
            let Some(length) = all.position(|shared| shared.name == *length) else {
                continue;
            };
            let most = self.common.elements_of_both(pointer);
            if let Shape::Scalar(scalar) = self.own_shape(length) {
                let ty = scalar.in_c();
                self.line(&format!(
                    "if (*({ty} *)argument_{length} < 0 || *({ty} *)argument_{length} > {most}) return 0;"
                ));
            }
        }
    }

    /// The user's own bounds, over variables of the parameters' names.
    pub(crate) fn assume(&mut self, assumed: &[String]) {
        if assumed.is_empty() {
            return;
        }
        self.line("{");
        for (at, shared) in self.common.parameters.iter().enumerate() {
            let name = &shared.name;
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_own = self.view.order.contains(&at);
            let shape = self.own_shape(at);
            let is_foreign = matches!(
                shape,
                Shape::Struct { .. } | Shape::Union { .. } | Shape::Pointer { .. }
            );
            if !name.chars().all(is_word) || is_foreign && !is_own {
                continue;
            }
            let ty = shape.in_c();
            self.line(&format!("\t{ty} {name} = *({ty} *)argument_{at};"));
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

    pub(crate) fn call(&mut self) {
        let arguments = self.view.order.iter().zip(&self.function.parameters);
        let arguments = arguments.map(|(&at, parameter)| match parameter.shape.is_pointer() {
            true => format!("*(void **)argument_{at}"),
            false => format!("*({} *)argument_{at}", parameter.shape.in_c()),
        });
        let further = match self.function.variadic {
            true => self.common.further,
            false => 0,
        };
        let further = (0..further).map(|at| format!("further_{at}"));
        let mut arguments: Vec<String> = arguments.chain(further).collect();
        for (place, argument) in self.member.iter().flat_map(|member| member.given) {
            arguments.insert(*place, argument.clone());
        }
        let call = format!("({})({});", self.function.name, arguments.join(", "));
        if self.member.is_none() {
            let count = self.common.callbacks().len();
            self.line(&format!(
                "parallax_known(parallax_shared, parallax_callbacks, {count});"
            ));
        }
        self.line("parallax_clear_errno();");
        match self.function.returns {
            Ok(None) => self.line(&call),
            _ => self.line(&format!("__auto_type parallax_result = {call}")),
        }
        self.line("parallax_forget();");
    }

    /// The first is the result; `errno` must be read before anything else happens.
    pub(crate) fn observe_all<'o>(&mut self, all: impl Iterator<Item = &'o Observed>) {
        let (errno, others): (Vec<_>, Vec<_>) =
            all.partition(|observed| observed.what == CallObservable::Errno);
        for observed in errno {
            let file = self.file(observed);
            self.line(&format!("parallax_observe_errno({file});"));
        }
        for observed in others {
            self.observe(observed);
        }
    }

    fn observe(&mut self, observed: &Observed) {
        let file = self.file(observed);
        // A file without bytes says that the call came back.
        let is_there = format!("parallax_observe({file}, \"\", 0);");
        match (&observed.content, &observed.what) {
            (_, CallObservable::Kept(what)) => {
                let mut all = kept::ALL.iter();
                let Some(kept) = all.find(|kept| kept.what == *what) else {
                    return;
                };
                let function = kept.function;
                self.line(&format!(
                    "{{ extern void {function}(const char *); {is_there} {function}({file}); }}"
                ));
            }
            (Content::Nothing | Content::Calls, _) => self.line(&is_there),
            (Content::Value(pair), what) => {
                let place = match what {
                    CallObservable::Global(name) => self.global(name),
                    _ => Some("(unsigned char *)&parallax_result".to_owned()),
                };
                let Some(place) = place else { return };
                self.line(&is_there);
                let own = pair[self.version].clone();
                self.look(&place, own.size(), &own);
                self.write([&pair[0], &pair[1]], &file, &place, &place);
            }
            (Content::Memory(count, pair), CallObservable::Argument(name)) => {
                let number = self.number(name);
                // Of several calls in one file it must be known what is there.
                if self.member.is_some() {
                    self.line(&format!(
                        "{{ unsigned char made = block_{number} != 0; parallax_observe({file}, &made, 1); }}"
                    ));
                }
                self.line(&format!(
                    "if (block_{number} && !parallax_gone({file}, block_{number})) {{"
                ));
                let mut blocks = self.view.all();
                let own = blocks.find(|block| block.name == *name && !block.by_value);
                let size = own.map_or(0, |block| block.size);
                let element = pair[self.version].size();
                let end = format!("block_{number} + {size}");
                self.look(&format!("block_{number}"), size, &pair[self.version]);
                let place = match count {
                    1 => format!("block_{number}"),
                    _ => {
                        self.line(&format!("for (long at = 0; at < {count}; at++) {{"));
                        format!("block_{number} + at * {element}")
                    }
                };
                self.write([&pair[0], &pair[1]], &file, &place, &end);
                self.line(if *count == 1 { "}" } else { "} }" });
            }
            (Content::Position, CallObservable::Argument(name)) => {
                let name = name.trim_end_matches(", its position");
                self.observe_stream(name, &file);
            }
            _ => {}
        }
    }

    /// Whether there are pointers where the type has none.
    fn look(&mut self, place: &str, size: u64, shape: &Shape) {
        let hidden = self.common.seen.hidden(self.version, shape);
        if hidden > 0 && size >= 8 {
            self.line(&format!("parallax_look({place}, {size}, {hidden});"));
        }
    }

    /// The file of a stream is there by itself.
    fn observe_stream(&mut self, name: &str, file: &str) {
        for (at, root) in self.view.blocks.iter().enumerate() {
            let link = root[0].links.iter().find(|link| link.name == name);
            if let Some(link) = link {
                let pointer = format!("*(void **)(argument_{at} + {})", link.offset);
                self.line(&format!(
                    "if ({pointer}) parallax_see_stream({file}, {pointer});"
                ));
                return;
            }
        }
    }

    pub(crate) fn write(&mut self, pair: [&Shape; 2], file: &str, place: &str, end: &str) {
        let mut text = String::new();
        let seen = &self.common.seen;
        seen.write(self.version, pair, file, place, end, &mut text);
        self.text += "\t{\n";
        self.text += &text;
        self.text += "\t}\n";
    }
}
