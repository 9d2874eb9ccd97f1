//! The common input space of two versions of a function (Böhme's thesis, §3.2.4), and what is compared.
//!
//! The input has one variable for each single value of each parameter that either version has; each version takes
//! its own and ignores the others. Which parameter is which is decided as for `parallax diff`
//! (`version_diff::CommonInputSpace`). Where a value's types differ, the input has a type with the values of both,
//! and an input that is no value of one of them is no input of both: the function is not called. The thesis speaks of
//! integer variables only; types, and the members of structs, are treated in its spirit.
//!
//! After the call, the result, what pointers of arguments point to, globals and `errno` are compared, as far as both versions
//! have them. A pointer is compared by where it points to: nowhere, to a place of an argument or of a global that is compared too,
//! to something that is gone, or elsewhere, and then by the text or first element there. Any two NaNs are the same, unless bits are
//! asked for.

use anyhow::bail;
use version_diff::CommonInputSpace;

use super::find::{Function, Reach};
use super::layout::{Block, Leaf, blocks, first_element, value};
use crate::call::CallObservable;
use crate::types::{Scalar, Shape};

/// A parameter of either version.
pub(crate) struct Shared {
    pub(crate) name: String,
    /// In the new version, or else in the only one that has it.
    pub(crate) shape: Shape,
}

/// A variable of the input.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) scalar: Scalar,
    /// The types of both versions, if they differ: values of one that are none of the other are left out.
    pub(crate) differing: Option<[Scalar; 2]>,
}

/// How one version gets its arguments.
pub(crate) struct View {
    /// For each shared parameter the memory that is made for it, also if the version does not have it.
    pub(crate) blocks: Vec<Vec<Block>>,
    /// For each of the version's parameters, in order, which of the shared ones it is.
    pub(crate) order: Vec<usize>,
}

/// Something that is compared after the call.
pub(crate) struct Observed {
    /// Where a driver writes it.
    pub(crate) file: String,
    pub(crate) what: CallObservable,
    pub(crate) parts: Vec<ObservedPart>,
    /// For showing it; `None` for `void`.
    pub(crate) shape: Option<Shape>,
}

/// A value or pointer of something that is compared, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ObservedPart {
    pub(crate) name: String,
    pub(crate) encoding: Encoding,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Scalar(Scalar),
    Text,
    /// By the values of the first element; and its number among those whose other elements are not compared.
    Pointer {
        leaves: Vec<(String, Scalar)>,
        behind: usize,
    },
}

/// An object by which pointers are known.
pub(crate) enum KnownObject {
    /// The block of an argument.
    Argument(String),
    Global(String),
}

pub(crate) struct Common {
    pub(crate) parameters: Vec<Shared>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) observed: Vec<Observed>,
    pub(crate) views: [View; 2],
    /// What differs between the input spaces, and other bounds.
    pub(crate) notes: Vec<String>,
    /// If parameters come in another order: which calls are compared.
    pub(crate) matched: Option<String>,
    /// What should be compared, and is not.
    pub(crate) left_out: Vec<String>,
    /// Pointers of which the first element is compared alone, if they point to no argument and no global.
    pub(crate) behind: Vec<String>,
}

const VERSIONS: [&str; 2] = ["old", "new"];

impl Common {
    pub(crate) fn of(old: &Function, new: &Function, elements: u64) -> Common {
        let names = |function: &Function| -> Vec<Option<String>> {
            let parameters = function.parameters.iter();
            parameters
                .map(|parameter| Some(parameter.name.clone()))
                .collect()
        };
        let classes = |function: &Function| -> Vec<String> {
            let parameters = function.parameters.iter();
            parameters
                .map(|parameter| parameter.shape.class())
                .collect()
        };
        let same = CommonInputSpace::of_parameters(
            &names(old),
            &classes(old),
            &names(new),
            &classes(new),
            true,
        );
        let mut common = Common {
            parameters: Vec::new(),
            inputs: Vec::new(),
            observed: Vec::new(),
            views: [0, 1].map(|_| View {
                blocks: Vec::new(),
                order: Vec::new(),
            }),
            notes: Vec::new(),
            matched: None,
            left_out: Vec::new(),
            behind: Vec::new(),
        };
        common.share_parameters([old, new], &same, elements);
        common.find_inputs();
        common.observe_result(old, new);
        common.observe_arguments(elements);
        common.observe_globals(old, new);
        if old.uses_errno || new.uses_errno {
            common.observed.push(Observed {
                file: "parallax.errno".to_owned(),
                what: CallObservable::Errno,
                parts: vec![ObservedPart {
                    name: "errno".to_owned(),
                    encoding: Encoding::Scalar(Scalar::Signed(4)),
                }],
                shape: Some(Shape::Scalar(Scalar::Signed(4))),
            });
        }
        for (function, which) in [old, new].into_iter().zip(VERSIONS) {
            for hidden in &function.hidden {
                common.left_out.push(format!(
                    "{which}: the variable {hidden}, which only its own function can reach"
                ));
            }
        }
        common
    }

    /// Takes the parameters of both versions in; `same` says which are which.
    fn share_parameters(
        &mut self,
        functions: [&Function; 2],
        same: &CommonInputSpace,
        elements: u64,
    ) {
        let [old, new] = functions;
        let mut shared_of_old = vec![0; old.parameters.len()];
        for (at, parameter) in new.parameters.iter().enumerate() {
            let old_at = same.old_of_new[at].map(|old| old as usize);
            self.views[1].order.push(self.parameters.len());
            if let Some(old_at) = old_at {
                shared_of_old[old_at] = self.parameters.len();
                let before = &old.parameters[old_at].name;
                if *before != parameter.name {
                    self.notes.push(format!(
                        "parameter {before} of the old version is {} in the new one",
                        parameter.name
                    ));
                }
                self.share(
                    &functions,
                    [Some(old_at), Some(at)],
                    &parameter.name,
                    elements,
                );
            } else {
                self.only(&functions, 1, at, elements);
            }
        }
        for &at in &same.only_old {
            shared_of_old[at as usize] = self.parameters.len();
            self.only(&functions, 0, at as usize, elements);
        }
        if !shared_of_old
            .iter()
            .filter(|&&at| at < new.parameters.len())
            .is_sorted()
        {
            self.notes
                .push("parameters come in another order".to_owned());
            let call = |function: &Function| {
                let names = function.parameters.iter();
                let names: Vec<&str> = names.map(|parameter| parameter.name.as_str()).collect();
                format!("{}({})", function.name, names.join(", "))
            };
            self.matched = Some(format!(
                "{} of the old version is compared with {} of the new one",
                call(old),
                call(new)
            ));
        }
        self.views[0].order = shared_of_old;
    }

    /// A parameter that one version does not have.
    fn only(&mut self, functions: &[&Function; 2], version: usize, at: usize, elements: u64) {
        let parameter = &functions[version].parameters[at];
        let mut others = functions[1 - version].parameters.iter();
        let name = match others.find(|other| other.name == parameter.name) {
            None => {
                let (which, other) = (VERSIONS[version], VERSIONS[1 - version]);
                self.notes.push(format!(
                    "parameter {} is only in the {which} version: the {other} version ignores it",
                    parameter.name
                ));
                parameter.name.clone()
            }
            Some(other) => {
                if version == 1 {
                    self.notes.push(format!(
                        "parameter {0} is `{1}` in the old version and `{2}` in the new one: they are two inputs, old.{0} and \
                         new.{0}",
                        parameter.name,
                        other.shape.in_c(),
                        parameter.shape.in_c()
                    ));
                }
                format!("{}.{}", VERSIONS[version], parameter.name)
            }
        };
        let mut places = [None; 2];
        places[version] = Some(at);
        self.share(functions, places, &name, elements);
    }

    fn share(
        &mut self,
        functions: &[&Function; 2],
        places: [Option<usize>; 2],
        name: &str,
        elements: u64,
    ) {
        let shape = |version: usize| Some(&functions[version].parameters[places[version]?].shape);
        let (old, new) = (shape(0), shape(1));
        let own = new.or(old).expect("some version has it");
        self.parameters.push(Shared {
            name: name.to_owned(),
            shape: own.clone(),
        });
        self.views[0]
            .blocks
            .push(blocks(name, old.unwrap_or(own), elements));
        self.views[1]
            .blocks
            .push(blocks(name, new.unwrap_or(own), elements));
    }

    fn find_inputs(&mut self) {
        let leaves = |view: &View| -> Vec<Leaf> {
            let blocks = view.blocks.iter().flatten();
            let leaves = blocks.flat_map(|block| block.leaves.iter().cloned());
            leaves.filter(|leaf| leaf.is_input).collect()
        };
        let (old, new) = (leaves(&self.views[0]), leaves(&self.views[1]));
        let mut renamed: Vec<String> = Vec::new();
        for leaf in &new {
            let Some(before) = old.iter().find(|old| old.name == leaf.name) else {
                self.one_sided(leaf, 1);
                continue;
            };
            let Some(scalar) = before.scalar.common(&leaf.scalar) else {
                self.notes.push(format!(
                    "{0} is `{1}` in the old version and `{2}` in the new one: they are two inputs, old.{0} and new.{0}",
                    leaf.name,
                    before.scalar.in_c(),
                    leaf.scalar.in_c()
                ));
                renamed.push(leaf.name.clone());
                continue;
            };
            let differing = !before.scalar.is_like(&leaf.scalar);
            if differing {
                self.notes.push(format!(
                    "{} is `{}` in the old version and `{}` in the new one: compared for the values that both types have",
                    leaf.name,
                    before.scalar.in_c(),
                    leaf.scalar.in_c()
                ));
            }
            self.inputs.push(Input {
                name: leaf.name.clone(),
                scalar,
                differing: differing.then(|| [before.scalar.clone(), leaf.scalar.clone()]),
            });
        }
        for leaf in &old {
            if !new.iter().any(|new| new.name == leaf.name) {
                self.one_sided(leaf, 0);
            }
        }
        for (view, which) in self.views.iter_mut().zip(VERSIONS) {
            let leaves = view.blocks.iter_mut().flatten();
            for leaf in leaves.flat_map(|block| &mut block.leaves) {
                if renamed.contains(&leaf.name) {
                    leaf.name = format!("{which}.{}", leaf.name);
                    self.inputs.push(Input {
                        name: leaf.name.clone(),
                        scalar: leaf.scalar.clone(),
                        differing: None,
                    });
                }
            }
        }
    }

    /// A member of a struct that only one version has.
    fn one_sided(&mut self, leaf: &Leaf, version: usize) {
        self.notes.push(format!(
            "{} is only in the {} version: the {} version ignores it",
            leaf.name,
            VERSIONS[version],
            VERSIONS[1 - version]
        ));
        self.inputs.push(Input {
            name: leaf.name.clone(),
            scalar: leaf.scalar.clone(),
            differing: None,
        });
    }

    fn observe_result(&mut self, old: &Function, new: &Function) {
        let mut observed = Observed {
            file: "parallax.returned".to_owned(),
            what: CallObservable::Returned,
            parts: Vec::new(),
            shape: None,
        };
        match (&old.returns, &new.returns) {
            (Ok(None), Ok(None)) => {}
            (Ok(Some(old)), Ok(Some(new))) if old.class() == new.class() => {
                observed.parts = self.parts(&result(old), &result(new));
                observed.shape = Some(new.clone());
            }
            (Ok(Some(old)), Ok(Some(new))) => self.left_out.push(format!(
                "the returned value: it is `{}` in the old version and `{}` in the new one",
                old.in_c(),
                new.in_c()
            )),
            (Ok(None), Ok(Some(_))) => self
                .left_out
                .push("the returned value: the old version returns nothing".to_owned()),
            (Ok(Some(_)), Ok(None)) => self
                .left_out
                .push("the returned value: the new version returns nothing".to_owned()),
            (Err(what), _) | (_, Err(what)) => self
                .left_out
                .push(format!("the returned value, which is {what}")),
        }
        self.observed.push(observed);
    }

    fn observe_arguments(&mut self, elements: u64) {
        for at in 0..self.parameters.len() {
            let (old, new) = (&self.views[0], &self.views[1]);
            // A parameter that one version does not have says nothing about a difference.
            if !old.order.contains(&at) || !new.order.contains(&at) {
                continue;
            }
            let mut observed = Vec::new();
            for block in new.blocks[at].iter().filter(|block| !block.by_value) {
                let before = old.blocks[at].iter().find(|old| old.name == block.name);
                // Also where a pointer is to `const`: that does not keep a function from writing.
                if let Some(before) = before {
                    observed.push((before.clone(), block.clone()));
                }
            }
            for (before, block) in observed {
                let parts = self.parts(&before, &block);
                let file = block.in_c().replacen("argument_", "parallax.argument.", 1);
                self.observed.push(Observed {
                    file,
                    what: CallObservable::Argument(block.name.clone()),
                    parts,
                    shape: pointed_to(&block.name, &self.parameters[at], elements),
                });
            }
        }
    }

    fn observe_globals(&mut self, old: &Function, new: &Function) {
        let find = |function: &'_ Function, name: &str| {
            function
                .globals
                .iter()
                .position(|global| global.name == name)
        };
        let changing = old.globals.iter().chain(&new.globals);
        let changing = changing.filter(|global| global.may_change);
        let mut names: Vec<&str> = changing.map(|global| global.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let (Some(before), Some(after)) = (find(old, name), find(new, name)) else {
                let which = if find(old, name).is_some() {
                    "old"
                } else {
                    "new"
                };
                self.left_out.push(format!(
                    "the global {name}, which is only in the {which} version"
                ));
                continue;
            };
            let (before, after) = (&old.globals[before], &new.globals[after]);
            if before.reach == Reach::Not || after.reach == Reach::Not {
                self.left_out.push(format!(
                    "the global {name}, which is `static` in a source that does not define `{}`",
                    new.name
                ));
                continue;
            }
            let (before, after) = match (&before.shape, &after.shape) {
                (Ok(before), Ok(after)) => (before, after),
                (Err(what), _) | (_, Err(what)) => {
                    self.left_out
                        .push(format!("the global {name}, which is {what}"));
                    continue;
                }
            };
            let members = format!("{name}.");
            let parts = self.parts(
                &value(name, &members, before),
                &value(name, &members, after),
            );
            if parts.len() > MOST_PARTS {
                self.left_out.push(format!(
                    "the global {name}, which has {} values",
                    parts.len()
                ));
                continue;
            }
            self.observed.push(Observed {
                file: format!("parallax.global.{name}"),
                what: CallObservable::Global(name.to_owned()),
                parts,
                shape: Some(after.clone()),
            });
        }
    }

    /// What two blocks have in common, in the new one's order.
    fn parts(&mut self, old: &Block, new: &Block) -> Vec<ObservedPart> {
        let mut parts = Vec::new();
        for leaf in &new.leaves {
            let before = old.leaves.iter().find(|old| old.name == leaf.name);
            let scalar = before.and_then(|before| before.scalar.common(&leaf.scalar));
            if let Some(scalar) = scalar {
                parts.push((
                    leaf.offset,
                    ObservedPart {
                        name: leaf.name.clone(),
                        encoding: Encoding::Scalar(scalar),
                    },
                ));
            }
        }
        for link in &new.links {
            let before = old.links.iter().find(|old| old.name == link.name);
            let Some(before) = before.filter(|before| before.shape.class() == link.shape.class())
            else {
                continue;
            };
            let encoding = match &link.shape {
                Shape::Text { .. } => Encoding::Text,
                shape => {
                    let old = first_element(&link.name, &before.shape);
                    let new = first_element(&link.name, shape).into_iter();
                    let common = new.filter_map(|leaf| {
                        let before = old.iter().find(|old| old.name == leaf.name)?;
                        Some((leaf.name, before.scalar.common(&leaf.scalar)?))
                    });
                    let name = match link.name.as_str() {
                        "result" => "the result",
                        name => name,
                    };
                    let behind = self.behind.len();
                    self.behind.push(name.to_owned());
                    Encoding::Pointer {
                        leaves: common.collect(),
                        behind,
                    }
                }
            };
            parts.push((
                link.offset,
                ObservedPart {
                    name: link.name.clone(),
                    encoding,
                },
            ));
        }
        parts.sort_by_key(|(offset, _)| *offset);
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Whether some value that is compared is a floating-point number.
    pub(crate) fn observes_floats(&self) -> bool {
        let is_float = |scalar: &Scalar| matches!(scalar, Scalar::Float(_));
        let mut parts = self.observed.iter().flat_map(|observed| &observed.parts);
        parts.any(|part| match &part.encoding {
            Encoding::Scalar(scalar) => is_float(scalar),
            Encoding::Text => false,
            Encoding::Pointer { leaves, .. } => leaves.iter().any(|(_, scalar)| is_float(scalar)),
        })
    }

    /// The objects by which pointers are known: the blocks of arguments, then globals that both versions have. A number tells
    /// them apart in what a driver writes, so there is an end to them.
    pub(crate) fn known_objects(&self) -> Vec<KnownObject> {
        let blocks = self.block_names().into_iter().map(KnownObject::Argument);
        let globals = self
            .observed
            .iter()
            .filter_map(|observed| match &observed.what {
                CallObservable::Global(name) => Some(KnownObject::Global(name.clone())),
                _ => None,
            });
        blocks.chain(globals).take(MOST_OBJECTS).collect()
    }

    /// The blocks of either version, by which pointers are known.
    fn block_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for block in self
            .views
            .iter()
            .flat_map(|view| view.blocks.iter().flatten())
        {
            if !block.by_value && !names.contains(&block.name) {
                names.push(block.name.clone());
            }
        }
        names
    }

    /// How another version of the function gets the same input.
    pub(crate) fn view(&self, function: &Function, elements: u64) -> anyhow::Result<View> {
        let mut view = View {
            blocks: Vec::new(),
            order: vec![0; function.parameters.len()],
        };
        let mut known = 0;
        for (at, shared) in self.parameters.iter().enumerate() {
            let own = function
                .parameters
                .iter()
                .position(|own| own.name == shared.name);
            if let Some(own) = own {
                view.order[own] = at;
                known += 1;
            }
            let shape = own.map_or(&shared.shape, |own| &function.parameters[own].shape);
            view.blocks.push(blocks(&shared.name, shape, elements));
        }
        if known < function.parameters.len() {
            bail!(
                "the golden version's `{}` has other parameters than the versions to compare; give one with the same \
                 parameters",
                function.name
            );
        }
        Ok(view)
    }
}

/// Numbers of known objects lie between those for nowhere and elsewhere, and that for an object that is gone.
const MOST_OBJECTS: usize = 250;

/// Larger globals are not compared.
const MOST_PARTS: usize = 4096;

/// What a function returns, as something in memory.
pub(crate) fn result(shape: &Shape) -> Block {
    value("result", "result.", shape)
}

/// The shape of a pointer's target, for showing it.
fn pointed_to(name: &str, parameter: &Shared, elements: u64) -> Option<Shape> {
    if parameter.name == name {
        return Some(parameter.shape.clone());
    }
    let blocks = blocks(&parameter.name, &parameter.shape, elements);
    let mut links = blocks.into_iter().flat_map(|block| block.links);
    Some(links.find(|link| link.name == name)?.shape)
}
