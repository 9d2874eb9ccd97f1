//! The memory that a driver makes for arguments and variables: one block for a value or for what a pointer points to, and
//! the single values in it, each a variable of the input under the name that the user would give it.
//!
//! Types that refer to themselves are unrolled to a depth: a list of up to so many nodes, a tree of so many levels. The last
//! ones have no successors: their pointers are NULL.

use std::cell::Cell;

use crate::types::{Bits, Field, Scalar, Shape, Types};

/// A value at a place of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// `x`, `a[2]`, `p->size`.
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) scalar: Scalar,
    pub(crate) bits: Option<Bits>,
    /// Not the zero that ends a text.
    pub(crate) is_input: bool,
}

/// A pointer at a place of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) shape: Shape,
    /// Whether there is a block of this name that it may point to.
    pub(crate) has_target: bool,
    /// Whether it leads to another object of a type that refers to itself.
    pub(crate) is_recursive: bool,
    /// Whether no object is made for it because there would be too many, or one too far away.
    pub(crate) is_cut: bool,
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
    /// What a pointer to it points to.
    pub(crate) shape: Shape,
    /// Whether the pointer that it is made for is to `const`, and whether it is `restrict`.
    pub(crate) read_only: bool,
    pub(crate) restrict: bool,
    /// Unions of which only one member is varied.
    pub(crate) unions: Vec<String>,
}

/// What is chosen of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// How many elements a pointer to numbers has, and bytes a text.
    pub(crate) elements: u64,
    /// How many objects of a type that refers to itself follow each other.
    pub(crate) depth: u64,
    /// Whether all pointers may be NULL, or only those of types that refer to themselves.
    pub(crate) null: bool,
}

/// More blocks than this are not made for a parameter or variable.
const MOST_BLOCKS: usize = 100;

/// Lays out parameters and variables of one version.
pub(crate) struct Layout<'t> {
    pub(crate) types: &'t Types,
    pub(crate) extent: Extent,
    /// Exactly how many elements a pointer has, where that is known by its name.
    pub(crate) counts: &'t [(String, u64)],
    /// Pointers that have a length beside them: their texts have no zero at the end.
    pub(crate) measured: &'t [String],
    /// How many blocks there are of this parameter.
    made: Cell<usize>,
}

/// What a block is filled from.
struct At<'n> {
    name: &'n str,
    /// What stands before the names of members.
    members: &'n str,
    offset: u64,
    /// The types of the blocks further out.
    outer: &'n [String],
}

impl<'t> Layout<'t> {
    pub(crate) fn new(
        types: &'t Types,
        extent: Extent,
        counts: &'t [(String, u64)],
        measured: &'t [String],
    ) -> Layout<'t> {
        Layout {
            types,
            extent,
            counts,
            measured,
            made: Cell::new(0),
        }
    }

    /// The blocks of a parameter or variable; its own is the first, and the others come behind what points to them.
    pub(crate) fn blocks(&self, name: &str, shape: &Shape) -> Vec<Block> {
        self.made.set(0);
        let mut all = Vec::new();
        let mut own = Block::new(name, shape, true);
        let members = format!("{name}.");
        let at = At {
            name,
            members: &members,
            offset: 0,
            outer: &[],
        };
        self.fill(&mut own, shape, &at, &mut all);
        all.insert(0, own);
        all
    }

    fn fill(&self, block: &mut Block, shape: &Shape, at: &At<'_>, others: &mut Vec<Block>) {
        match shape.resolved(self.types) {
            Shape::Scalar(scalar) => block.leaf(at.name, at.offset, scalar, None),
            Shape::Struct { fields, .. } => {
                for field in fields {
                    self.fill_member(block, field, at, others);
                }
            }
            union @ Shape::Union { size, fields, .. } => match union.whole_member() {
                Some(field) => self.fill_member(block, field, at, others),
                None if !union.has_pointers(self.types) => {
                    for byte in 0..*size {
                        let name = format!("{}bytes[{byte}]", at.members);
                        block.leaf(&name, at.offset + byte, &Scalar::Unsigned(1), None);
                    }
                }
                None => {
                    if let Some(first) = fields.first() {
                        block.unions.push(format!("{}{}", at.members, first.name));
                        self.fill_member(block, first, at, others);
                    }
                }
            },
            Shape::Array { count, element } => {
                for number in 0..*count {
                    let name = format!("{}[{number}]", at.name);
                    let members = format!("{name}.");
                    let element_at = At {
                        name: &name,
                        members: &members,
                        offset: at.offset + number * element.size(),
                        outer: at.outer,
                    };
                    self.fill(block, element, &element_at, others);
                }
            }
            Shape::Named { .. } | Shape::Opaque { .. } => {}
            Shape::Text { .. } | Shape::Pointer { .. } | Shape::Function(_) | Shape::Stream => {
                let target = self.target(at, shape);
                block.links.push(Link {
                    name: at.name.to_owned(),
                    offset: at.offset,
                    shape: shape.clone(),
                    has_target: target.is_some(),
                    is_recursive: is_recursive(shape, at.outer),
                    is_cut: target.is_none() && self.is_cut(shape, at.outer),
                });
                if let Some((target, behind)) = target {
                    others.push(target);
                    others.extend(behind);
                }
            }
        }
    }

    fn fill_member(&self, block: &mut Block, field: &Field, at: &At<'_>, others: &mut Vec<Block>) {
        let name = format!("{}{}", at.members, field.name);
        let members = within(field, &name, at.members);
        let offset = at.offset + field.offset;
        if let (Some(bits), Shape::Scalar(scalar)) = (field.bits, &field.shape) {
            block.leaf(&name, offset, scalar, Some(bits));
            return;
        }
        let at = At {
            name: &name,
            members: &members,
            offset,
            outer: at.outer,
        };
        self.fill(block, &field.shape, &at, others);
    }

    /// What a pointer points to, and the blocks behind that; `None` where no object is made.
    fn target(&self, at: &At<'_>, shape: &Shape) -> Option<(Block, Vec<Block>)> {
        let name = at.name;
        let (to, read_only, restrict) = match shape {
            Shape::Text { .. } | Shape::Pointer { .. } if self.made.get() >= MOST_BLOCKS => {
                return None;
            }
            Shape::Text {
                read_only,
                restrict,
            } => {
                self.made.set(self.made.get() + 1);
                let has_end = !self.measured.iter().any(|measured| measured == name);
                let mut text = self.text(name, has_end);
                (text.read_only, text.restrict) = (*read_only, *restrict);
                return Some((text, Vec::new()));
            }
            Shape::Pointer {
                to,
                read_only,
                restrict,
            } => (&**to, *read_only, *restrict),
            _ => return None,
        };
        let class = to.class();
        if self.depth(&class, at.outer) >= self.extent.depth || at.outer.len() as u64 >= MOST_HOPS {
            return None;
        }
        self.made.set(self.made.get() + 1);
        let resolved = to.resolved(self.types);
        let exact = self.counts.iter().find(|(counted, _)| counted == name);
        let is_measured = self.measured.iter().any(|measured| measured == name);
        let count = match (exact, resolved) {
            (Some((_, count)), _) => *count,
            (None, Shape::Scalar(_)) => self.extent.elements,
            (None, _) if is_measured => self.extent.elements,
            _ => 1,
        };
        let mut block = Block::new(name, to, false);
        block.size = count * to.size();
        block.element = to.size();
        (block.read_only, block.restrict) = (read_only, restrict);
        let mut behind = Vec::new();
        let outer: Vec<String> = at.outer.iter().cloned().chain([class]).collect();
        match resolved {
            Shape::Opaque { .. } => (block.size, block.element) = (16, 16),
            Shape::Struct { .. } | Shape::Union { .. } if count == 1 => {
                let members = format!("{name}->");
                let at = At {
                    name,
                    members: &members,
                    offset: 0,
                    outer: &outer,
                };
                self.fill(&mut block, resolved, &at, &mut behind);
                self.fill_flexible(&mut block, resolved, &at, &mut behind);
            }
            _ => {
                for number in 0..count {
                    let element = match (resolved, count) {
                        (Shape::Array { .. }, 1) => format!("(*{name})"),
                        (Shape::Pointer { .. } | Shape::Text { .. }, 1) => format!("*{name}"),
                        _ => format!("{name}[{number}]"),
                    };
                    let members = format!("{element}.");
                    let at = At {
                        name: &element,
                        members: &members,
                        offset: number * to.size(),
                        outer: &outer,
                    };
                    self.fill(&mut block, resolved, &at, &mut behind);
                }
            }
        }
        Some((block, behind))
    }

    /// How many objects of a type lead to here.
    fn depth(&self, class: &str, outer: &[String]) -> u64 {
        outer.iter().filter(|outer| *outer == class).count() as u64
    }

    /// Whether a pointer without a target is no end of a list or tree.
    fn is_cut(&self, shape: &Shape, outer: &[String]) -> bool {
        match shape {
            Shape::Text { .. } => true,
            Shape::Pointer { to, .. } => self.depth(&to.class(), outer) < self.extent.depth,
            _ => false,
        }
    }

    /// The elements behind a struct that ends with an array of any length.
    fn fill_flexible(
        &self,
        block: &mut Block,
        shape: &Shape,
        at: &At<'_>,
        others: &mut Vec<Block>,
    ) {
        let (Some((offset, element)), Shape::Struct { fields, .. }) = (shape.flexible(), shape)
        else {
            return;
        };
        let Some(last) = fields.last() else { return };
        let count = self.extent.elements;
        block.size = block.size.max(offset + count * element.size());
        let array = Shape::Array {
            count,
            element: Box::new(element.clone()),
        };
        let name = format!("{}{}", at.members, last.name);
        let members = format!("{name}.");
        let at = At {
            name: &name,
            members: &members,
            offset,
            outer: at.outer,
        };
        self.fill(block, &array, &at, others);
    }

    fn text(&self, name: &str, has_end: bool) -> Block {
        let elements = self.extent.elements;
        let mut block = Block::new(name, &Shape::Scalar(Scalar::Character), false);
        block.size = elements + u64::from(has_end);
        block.element = 1;
        for at in 0..block.size {
            block.leaf(&format!("{name}[{at}]"), at, &Scalar::Character, None);
        }
        if has_end && let Some(end) = block.leaves.last_mut() {
            end.is_input = false;
        }
        block
    }
}

/// Pointers behind pointers behind pointers are made up to here.
const MOST_HOPS: u64 = 6;

fn is_recursive(shape: &Shape, outer: &[String]) -> bool {
    match shape {
        Shape::Pointer { to, .. } => outer.contains(&to.class()),
        _ => false,
    }
}

impl Block {
    fn new(name: &str, shape: &Shape, by_value: bool) -> Block {
        Block {
            name: name.to_owned(),
            size: shape.size(),
            leaves: Vec::new(),
            links: Vec::new(),
            by_value,
            element: shape.size(),
            shape: shape.clone(),
            read_only: false,
            restrict: false,
            unions: Vec::new(),
        }
    }

    /// Whether it has bytes that no value of the input fills: they are zero.
    pub(crate) fn has_padding(&self) -> bool {
        let leaves = self.leaves.iter().map(|leaf| {
            let bits = leaf
                .bits
                .map(|bits| u64::from(bits.first) + u64::from(bits.width));
            let bytes = bits.map_or(leaf.scalar.bytes(), |bits| bits.div_ceil(8));
            (leaf.offset, bytes)
        });
        let links = self.links.iter().map(|link| (link.offset, 8));
        let mut filled: Vec<(u64, u64)> = leaves.chain(links).collect();
        filled.sort_unstable();
        let mut end = 0;
        for (start, bytes) in filled {
            if start > end {
                return true;
            }
            end = end.max(start + bytes);
        }
        end < self.size
    }

    fn leaf(&mut self, name: &str, offset: u64, scalar: &Scalar, bits: Option<Bits>) {
        self.leaves.push(Leaf {
            name: name.to_owned(),
            offset,
            scalar: scalar.clone(),
            bits,
            is_input: true,
        });
    }
}

/// What stands before the members of a member; those of one without a name are the outer struct's.
pub(crate) fn within(field: &Field, name: &str, members: &str) -> String {
    match field.name.is_empty() {
        true => members.to_owned(),
        false => format!("{name}."),
    }
}
