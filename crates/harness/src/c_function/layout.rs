//! The memory that a driver makes for an argument: one block for a value or for what a pointer points to, and
//! the single values in it, each a variable of the input under the name that the user would give it.

use crate::types::{Field, Scalar, Shape};

/// A value at a place of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// `x`, `a[2]`, `p->size`.
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) scalar: Scalar,
    /// Not the zero that ends a text.
    pub(crate) is_input: bool,
}

/// A pointer at a place of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) shape: Shape,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The parameter, or the member that points here.
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) leaves: Vec<Leaf>,
    /// Pointers in this block; what they point to is a block of the same name.
    pub(crate) links: Vec<Link>,
    /// The argument is the block itself, not its address.
    pub(crate) by_value: bool,
    /// The size of one element, for pointers into it.
    pub(crate) element: u64,
}

impl Block {
    fn new(name: &str, size: u64, by_value: bool) -> Block {
        Block {
            name: name.to_owned(),
            size,
            leaves: Vec::new(),
            links: Vec::new(),
            by_value,
            element: size,
        }
    }

    /// A name for it in the driver.
    pub(crate) fn in_c(&self) -> String {
        let word = |character: char| match character.is_ascii_alphanumeric() {
            true => character,
            false => '_',
        };
        let name = self.name.replace("->", "_");
        format!("argument_{}", name.chars().map(word).collect::<String>())
    }
}

/// The blocks of a parameter; its own is the first.
pub(crate) fn blocks(name: &str, shape: &Shape, elements: u64) -> Vec<Block> {
    let mut others = Vec::new();
    let own = match shape {
        Shape::Text { .. } | Shape::Pointer { .. } => target(name, shape, elements, &mut others),
        _ => {
            let mut block = Block::new(name, shape.size(), true);
            let members = format!("{name}.");
            fill(&mut block, shape, name, &members, 0, elements, &mut others);
            block
        }
    };
    others.insert(0, own);
    others
}

/// Something that lies at an address, whatever its pointers point to.
pub(crate) fn value(name: &str, members: &str, shape: &Shape) -> Block {
    let mut block = Block::new(name, shape.size(), true);
    fill(&mut block, shape, name, members, 0, 1, &mut Vec::new());
    block
}

/// What a pointer points to, as far as it is compared: the first element.
pub(crate) fn first_element(name: &str, shape: &Shape) -> Vec<Leaf> {
    match shape {
        Shape::Pointer { to, .. } => value(&format!("{name}[0]"), &format!("{name}->"), to).leaves,
        _ => Vec::new(),
    }
}

/// What a pointer points to.
fn target(name: &str, shape: &Shape, elements: u64, others: &mut Vec<Block>) -> Block {
    match shape {
        Shape::Text { .. } => {
            let mut block = Block::new(name, elements + 1, false);
            block.element = 1;
            block.leaves = (0..=elements)
                .map(|at| Leaf {
                    name: format!("{name}[{at}]"),
                    offset: at,
                    scalar: Scalar::Character,
                    is_input: at < elements,
                })
                .collect();
            block
        }
        Shape::Pointer { to, .. } => {
            let count = match **to {
                Shape::Scalar(_) => elements,
                _ => 1,
            };
            let mut block = Block::new(name, count * to.size(), false);
            block.element = to.size();
            match **to {
                Shape::Scalar(_) => {
                    for at in 0..count {
                        let element = format!("{name}[{at}]");
                        fill(
                            &mut block,
                            to,
                            &element,
                            "",
                            at * to.size(),
                            elements,
                            others,
                        );
                    }
                }
                Shape::Array { .. } => {
                    let whole = format!("(*{name})");
                    fill(&mut block, to, &whole, "", 0, elements, others);
                }
                _ => {
                    let members = format!("{name}->");
                    fill(&mut block, to, name, &members, 0, elements, others);
                }
            }
            block
        }
        _ => unreachable!("only pointers have targets"),
    }
}

fn fill(
    block: &mut Block,
    shape: &Shape,
    name: &str,
    members: &str,
    offset: u64,
    elements: u64,
    others: &mut Vec<Block>,
) {
    match shape {
        Shape::Scalar(scalar) => block.leaves.push(Leaf {
            name: name.to_owned(),
            offset,
            scalar: scalar.clone(),
            is_input: true,
        }),
        Shape::Struct { fields, .. } => {
            for field in fields {
                let name = format!("{members}{}", field.name);
                let within = within(field, &name, members);
                let offset = offset + field.offset;
                fill(
                    block,
                    &field.shape,
                    &name,
                    &within,
                    offset,
                    elements,
                    others,
                );
            }
        }
        Shape::Array { count, element } => {
            for at in 0..*count {
                let name = format!("{name}[{at}]");
                let offset = offset + at * element.size();
                fill(
                    block,
                    element,
                    &name,
                    &format!("{name}."),
                    offset,
                    elements,
                    others,
                );
            }
        }
        Shape::Text { .. } | Shape::Pointer { .. } => {
            block.links.push(Link {
                name: name.to_owned(),
                offset,
                shape: shape.clone(),
            });
            let target = target(name, shape, elements, others);
            others.push(target);
        }
    }
}

/// What stands before the members of a member; those of one without a name are the outer struct's.
pub(crate) fn within(field: &Field, name: &str, members: &str) -> String {
    match field.name.is_empty() {
        true => members.to_owned(),
        false => format!("{name}."),
    }
}
