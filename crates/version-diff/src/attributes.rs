//! Everything that LLVM says of a symbol, an initialiser, an instruction or a constant, and what becomes of it when two
//! versions are compared.
//!
//! Whatever is not compared is named here with the reason why it has no meaning for a run, or with the assumption that
//! every verdict names. `docs/comparison.md` has the same table, and a test has a pair of modules for each row.

/// What an attribute belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Global,
    Function,
    Initialiser,
    Instruction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// A difference is a change of whatever uses it.
    Compared,
    /// A difference is no change, for this reason.
    NotCompared(&'static str),
    /// The program is not read, or a run that comes there ends as unsupported; a difference is a change.
    Refused,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    pub of: Part,
    pub name: &'static str,
    pub treatment: Treatment,
}

const LINKED: &str = "a linked program is whole: nobody else sees its symbols";
const ADDRESSES: &str = "addresses are those of the VM";
const ONE_THREAD: &str = "a program has one thread; starting another is not supported";
const ADVICE: &str = "advice for an optimiser; the VM does not optimise";

/// The table.
pub const ATTRIBUTES: &[Attribute] = {
    use Part::{Function, Global, Initialiser, Instruction};
    use Treatment::{Compared, NotCompared, Refused};
    const fn row(of: Part, name: &'static str, treatment: Treatment) -> Attribute {
        Attribute {
            of,
            name,
            treatment,
        }
    }
    &[
        row(Global, "size", Compared),
        row(Global, "constness", Compared),
        row(Global, "section", Compared),
        row(Global, "whether the program defines it", Compared),
        row(Global, "linkage of a definition", NotCompared(LINKED)),
        row(Global, "visibility", NotCompared(LINKED)),
        row(Global, "comdat", NotCompared(LINKED)),
        row(Global, "unnamed_addr", NotCompared(ADDRESSES)),
        row(Global, "alignment", NotCompared(ADDRESSES)),
        row(Global, "thread_local", NotCompared(ONE_THREAD)),
        row(Initialiser, "bytes", Compared),
        row(Initialiser, "vectors", Compared),
        row(Initialiser, "addresses of functions", Compared),
        row(
            Initialiser,
            "addresses of variables, with offsets",
            Compared,
        ),
        row(Initialiser, "addresses of labels", Compared),
        row(Initialiser, "differences of addresses", Compared),
        row(Initialiser, "addresses through an alias", Compared),
        row(
            Initialiser,
            "undef and poison",
            NotCompared("they are zeros, as the host's linker writes them"),
        ),
        row(Function, "body", Compared),
        row(Function, "types of parameters and results", Compared),
        row(Function, "whether it takes further arguments", Compared),
        row(Function, "whether the program defines it", Compared),
        row(Function, "constructors and their order", Compared),
        row(Function, "destructors and their order", Compared),
        row(Function, "what an alias stands for", Compared),
        row(Function, "what resolves an indirect function", Refused),
        row(Function, "linkage of a definition", NotCompared(LINKED)),
        row(Function, "visibility", NotCompared(LINKED)),
        row(Function, "section", NotCompared(ADDRESSES)),
        row(Function, "alignment", NotCompared(ADDRESSES)),
        row(
            Function,
            "calling convention",
            NotCompared("caller and callee agree on it"),
        ),
        row(
            Function,
            "attributes such as cold, noinline, nounwind",
            NotCompared(ADVICE),
        ),
        row(
            Function,
            "stack that a call takes",
            NotCompared("the size of the stack is a bound of every verdict"),
        ),
        row(Instruction, "operation and types", Compared),
        row(Instruction, "nsw, nuw, exact", Compared),
        row(Instruction, "inbounds", Compared),
        row(Instruction, "volatile", Compared),
        row(Instruction, "cases of a switch", Compared),
        row(Instruction, "arguments passed by value", Compared),
        row(Instruction, "text of inline assembly", Refused),
        row(
            Instruction,
            "fast-math flags",
            NotCompared(
                "the VM rounds every operation as IEEE 754 says; so does the native build, which is not optimised",
            ),
        ),
        row(Instruction, "atomic ordering", NotCompared(ONE_THREAD)),
        row(
            Instruction,
            "alignment of an access",
            NotCompared("x86-64 allows any; it changes no value"),
        ),
        row(Instruction, "tail", NotCompared(ADVICE)),
        row(
            Instruction,
            "metadata such as !range and !prof",
            NotCompared(ADVICE),
        ),
        row(
            Instruction,
            "debug information",
            NotCompared("it is not part of the program"),
        ),
    ]
};

/// The table as Markdown.
pub fn table() -> String {
    let mut text = String::from("| of | attribute | when it differs |\n|---|---|---|\n");
    for attribute in ATTRIBUTES {
        let of = match attribute.of {
            Part::Global => "variable",
            Part::Function => "function",
            Part::Initialiser => "initialiser",
            Part::Instruction => "instruction",
        };
        let treatment = match attribute.treatment {
            Treatment::Compared => "a change".to_owned(),
            Treatment::NotCompared(why) => format!("not compared: {why}"),
            Treatment::Refused => "a change; using it is not supported".to_owned(),
        };
        text += &format!("| {of} | {} | {treatment} |\n", attribute.name);
    }
    text
}
