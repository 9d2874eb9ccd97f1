//! The mutation operators: what kind of mistake a mutant makes.

use std::fmt;
use std::str::FromStr;

/// A kind of small mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `<` becomes `<=` or `!=`, `==` becomes `<=` or `>=`, and so on: two swaps of each, those that are hardest to
    /// notice.
    Relational,
    /// `+` and `-`, `*` and `/`, `%`, `++` and `--`, and the assignments made of them.
    Arithmetic,
    /// `&&` and `||`.
    Logical,
    /// `&`, `|`, `^`, `<<`, `>>`, `~`, and the assignments made of them.
    Bitwise,
    /// A number or character one larger or one smaller.
    Constant,
    /// A condition, or one side of `&&` or `||` in it, negated.
    NegateCondition,
    /// A statement left out.
    DeleteStatement,
    /// The bound of a loop one larger or one smaller.
    LoopBound,
    /// Two neighbouring arguments of a call exchanged.
    SwapArguments,
}

impl Operator {
    pub const ALL: [Operator; 9] = [
        Operator::Relational,
        Operator::Arithmetic,
        Operator::Logical,
        Operator::Bitwise,
        Operator::Constant,
        Operator::NegateCondition,
        Operator::DeleteStatement,
        Operator::LoopBound,
        Operator::SwapArguments,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Operator::Relational => "relational",
            Operator::Arithmetic => "arithmetic",
            Operator::Logical => "logical",
            Operator::Bitwise => "bitwise",
            Operator::Constant => "constant",
            Operator::NegateCondition => "negate-condition",
            Operator::DeleteStatement => "delete-statement",
            Operator::LoopBound => "loop-bound",
            Operator::SwapArguments => "swap-arguments",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that no operator has.
#[derive(Debug, thiserror::Error)]
#[error("no mutation operator is called `{name}`; there are: {}", Operator::ALL.map(Operator::name).join(", "))]
pub struct UnknownOperator {
    name: String,
}

impl FromStr for Operator {
    type Err = UnknownOperator;

    fn from_str(name: &str) -> Result<Operator, UnknownOperator> {
        let found = Operator::ALL
            .into_iter()
            .find(|operator| operator.name() == name);
        found.ok_or_else(|| UnknownOperator { name: name.into() })
    }
}
