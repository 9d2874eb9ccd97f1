//! The common input space of two versions of a function (Böhme's thesis, §3.2.4), and what is compared.
//!
//! The input has one variable for each single value of each parameter that either version has; each version takes
//! its own and ignores the others. Which parameter is which is decided as for `parallax diff`
//! (`version_diff::CommonInputSpace`). Where a value's types differ, the input has a type with the values of both,
//! and an input that is no value of one of them is no input of both: the function is not called. The thesis speaks of
//! integer variables only; types, and the members of structs, are treated in its spirit.
//!
//! After the call, the result, what pointers of arguments point to, variables of static storage and `errno` are compared, as far
//! as both versions have them, up to renaming of addresses (`seen.rs`, `observe.c`). Any two NaNs are the same, unless bits are asked for.

use std::collections::BTreeSet;

use version_diff::CommonInputSpace;

use super::FunctionSpec;
use super::find::{Function, GlobalVariable, Reach};
use super::kept;
use super::layout::{Block, Extent, Layout, Leaf, Link};
use super::seen::{Pair, Seen, elements_of_one};
use crate::call::CallObservable;
use crate::error::{Error, Result};
use crate::types::{Scalar, Shape};

/// A parameter of either version.
pub(crate) struct Shared {
    pub(crate) name: String,
    /// In the new version, or else in the only one that has it.
    pub(crate) shape: Shape,
    /// What the source calls the type of what it points to.
    pub(crate) target: Option<String>,
}

/// A variable of the input.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) scalar: Scalar,
    /// The bits that count, of a bit-field.
    pub(crate) width: Option<u8>,
    /// The types of both versions, if they differ: values of one that are none of the other are left out.
    pub(crate) differing: Option<[Scalar; 2]>,
}

/// Where a pointer of the input may point to. The input has a byte for it, which is the place in a list; all that are too
/// large mean the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    Null,
    /// A block of its own name, a stream, or a function.
    Fresh,
    /// The block of another pointer.
    Alias(String),
    /// What a variable points to before `main`.
    First,
}

/// How one version gets its arguments.
pub(crate) struct View {
    /// For each shared parameter the memory that is made for it, also if the version does not have it.
    pub(crate) blocks: Vec<Vec<Block>>,
    /// For each shared variable that is a part of the input.
    pub(crate) globals: Vec<Vec<Block>>,
    /// For each of the version's parameters, in order, which of the shared ones it is.
    pub(crate) order: Vec<usize>,
}

impl View {
    fn new() -> View {
        View {
            blocks: Vec::new(),
            globals: Vec::new(),
            order: Vec::new(),
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().chain(&self.globals).flatten()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let globals = self.globals.iter_mut();
        self.blocks.iter_mut().chain(globals).flatten()
    }
}

/// Something that is compared after the call.
pub(crate) struct Observed {
    /// Where a driver writes it.
    pub(crate) file: String,
    pub(crate) what: CallObservable,
    pub(crate) content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// `void`, or what cannot be compared.
    Nothing,
    Value(Pair),
    /// What an argument points to: so many elements.
    Memory(u64, Pair),
    Errno,
    /// Where a stream stands.
    Position,
    /// The bytes of a stream.
    Bytes,
    /// The calls of functions that were passed.
    Calls,
}

pub(crate) struct Common {
    pub(crate) parameters: Vec<Shared>,
    /// Variables that are a part of the input.
    pub(crate) globals: Vec<Shared>,
    pub(crate) inputs: Vec<Input>,
    /// Where the pointers of the input may point to, by name.
    pub(crate) choices: Vec<(String, Choices)>,
    pub(crate) observed: Vec<Observed>,
    pub(crate) views: [View; 2],
    pub(crate) seen: Seen,
    pub(crate) extent: Extent,
    /// Pointers with the parameters that say how many elements they have.
    pub(crate) lengths: Vec<(String, String)>,
    /// How many further arguments are passed.
    pub(crate) further: u64,
    /// What differs between the input spaces, and other bounds.
    pub(crate) notes: Vec<String>,
    /// If parameters come in another order: which calls are compared.
    pub(crate) matched: Option<String>,
    /// Variables that a call uses and that something writes, and that have their first values all the same.
    pub(crate) kept: Vec<String>,
    /// What should be compared, and is not.
    pub(crate) left_out: Vec<String>,
    /// Variables that only the sources of the versions know, and that none of them writes: they have no other value than their first.
    pub(crate) unwritten: Vec<String>,
}

/// The choices of one pointer.
pub(crate) type Choices = Vec<Choice>;

const VERSIONS: [&str; 2] = ["old", "new"];

impl Common {
    pub(crate) fn of(
        old: &Function,
        new: &Function,
        extent: Extent,
        spec: &FunctionSpec,
    ) -> Common {
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
            globals: Vec::new(),
            inputs: Vec::new(),
            choices: Vec::new(),
            observed: Vec::new(),
            views: [View::new(), View::new()],
            seen: Seen::new(old.types.clone(), new.types.clone(), spec.exact),
            extent,
            lengths: lengths(old, new),
            further: if old.variadic || new.variadic {
                extent.elements
            } else {
                0
            },
            notes: Vec::new(),
            matched: None,
            kept: Vec::new(),
            left_out: Vec::new(),
            unwritten: unwritten(old, new),
        };
        common.share_parameters([old, new], &same);
        if !spec.first_values {
            common.share_globals(old, new);
        }
        common.kept = common.kept_variables(old, new);
        common.find_inputs();
        common.find_choices();
        common.observe_result(old, new);
        common.observe_arguments();
        common.observe_globals(old, new);
        if old.uses_errno || new.uses_errno {
            common.observe("parallax.errno", CallObservable::Errno, Content::Errno);
        }
        common.observe_kept(old, new);
        let has_callbacks = |view: &View| {
            let mut links = view.all().flat_map(|block| &block.links);
            links.any(|link| matches!(link.shape, Shape::Function(_)))
        };
        if common.views.iter().any(has_callbacks) {
            for name in common.callbacks() {
                if common.takes_further(&name) {
                    common.left_out.push(format!(
                        "further arguments that {name} is called with, since its type does not say which it takes"
                    ));
                }
                for pair in common.call_types(&name) {
                    common
                        .seen
                        .add(&format!("what {name} is called with"), &pair);
                }
            }
            common.observe("parallax.calls", CallObservable::Calls, Content::Calls);
        }
        common.say_what_is_compared();
        common
    }

    /// What a comparison leaves out, and what bounds that by its nature.
    pub(crate) fn say_what_is_compared(&mut self) {
        self.left_out.append(&mut self.seen.left_out);
        self.notes.append(&mut self.seen.notes);
        let observed = self.observed.iter();
        let names = observed.filter_map(|observed| match &observed.what {
            CallObservable::Global(name) => Some(name.as_str()),
            _ => None,
        });
        // The compiler numbers variables of one name inside one function.
        let is_numbered = |name: &&str| {
            let number = name.rsplit_once('.').map_or("", |(_, number)| number);
            name.matches('.').count() > 1 && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let numbered: Vec<&str> = names.filter(is_numbered).collect();
        if !numbered.is_empty() {
            self.notes.push(format!(
                "variables of one name inside a function are the same in both versions if they come in the same place ({})",
                numbered.join(", ")
            ));
        }
        if self.seen.has_texts {
            self.notes.push(
                "what a `char *` in memory or a result points to is compared up to its zero"
                    .to_owned(),
            );
        }
        if self.seen.has_functions {
            self.notes.push(
                "pointers to functions of the versions are compared by the functions' names"
                    .to_owned(),
            );
        }
        let is_stream = |observed: &Observed| observed.content == Content::Position;
        if self.observed.iter().any(is_stream) {
            self.notes
                .push("of streams the bytes and the position are compared, not the marks of end and error".to_owned());
        }
        if !self.seen.exact && self.seen.has_floats {
            self.notes
                .push("one NaN counts as any other (`--exact` compares their bits)".to_owned());
        }
    }

    fn observe(&mut self, file: &str, what: CallObservable, content: Content) {
        if let Content::Value(pair) | Content::Memory(_, pair) = &content {
            let name = match &what {
                CallObservable::Returned => "the result".to_owned(),
                what => what.to_string(),
            };
            self.seen.add(&name, pair);
        }
        let mut own = file.to_owned();
        while self.observed.iter().any(|other| other.file == own) {
            own.push('_');
        }
        self.observed.push(Observed {
            file: own,
            what,
            content,
        });
    }

    /// The functions that are passed as arguments, in the order of both versions' pointers.
    pub(crate) fn callbacks(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let blocks = self.views.iter().flat_map(View::all);
        for link in blocks.flat_map(|block| &block.links) {
            if matches!(link.shape, Shape::Function(_)) && !names.contains(&link.name) {
                names.push(link.name.clone());
            }
        }
        names
    }

    /// What a function that is passed is called with in both versions.
    pub(crate) fn call_types(&self, name: &str) -> Vec<Pair> {
        let [old, new] = [0, 1].map(|version: usize| {
            let mut links = self.views[version].all().flat_map(|block| &block.links);
            match &links.find(|link| link.name == name)?.shape {
                Shape::Function(signature) => Some(&signature.takes),
                _ => None,
            }
        });
        let (Some(old), Some(new)) = (old.or(new), new.or(old)) else {
            return Vec::new();
        };
        let pairs = old.iter().zip(new);
        pairs.map(|(old, new)| [old.clone(), new.clone()]).collect()
    }

    /// Whether a function that is passed may be called with arguments of which its type says nothing.
    fn takes_further(&self, name: &str) -> bool {
        let blocks = self.views.iter().flat_map(View::all);
        let mut links = blocks.flat_map(|block| &block.links);
        links.any(|link| {
            let takes_further = |shape: &Shape| matches!(shape, Shape::Function(signature) if signature.takes_further);
            link.name == name && takes_further(&link.shape)
        })
    }

    pub(crate) fn layout<'l>(
        &'l self,
        function: &'l Function,
        measured: &'l [String],
    ) -> Layout<'l> {
        Layout::new(&function.types, self.extent, &function.counts, measured)
    }

    fn measured(&self) -> Vec<String> {
        let pointers = self.lengths.iter().map(|(pointer, _)| pointer.clone());
        pointers.collect()
    }

    /// Takes the parameters of both versions in; `same` says which are which.
    fn share_parameters(&mut self, functions: [&Function; 2], same: &CommonInputSpace) {
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
                self.share(&functions, [Some(old_at), Some(at)], &parameter.name);
            } else {
                self.only(&functions, 1, at);
            }
        }
        for &at in &same.only_old {
            shared_of_old[at as usize] = self.parameters.len();
            self.only(&functions, 0, at as usize);
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
    fn only(&mut self, functions: &[&Function; 2], version: usize, at: usize) {
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
        self.share(functions, places, &name);
    }

    fn share(&mut self, functions: &[&Function; 2], places: [Option<usize>; 2], name: &str) {
        let shape = |version: usize| Some(&functions[version].parameters[places[version]?].shape);
        let (old, new) = (shape(0), shape(1));
        let own = new.or(old).expect("some version has it");
        let target = |version: usize| {
            let parameter = &functions[version].parameters[places[version]?];
            parameter.target.clone()
        };
        let target = target(1).or(target(0));
        self.parameters.push(Shared {
            name: name.to_owned(),
            shape: own.clone(),
            target,
        });
        let measured = self.measured();
        // A version that lacks it knows nothing of its types either.
        let knows = |version: usize| match shape(version) {
            Some(shape) => (functions[version], shape),
            None => (functions[1 - version], own),
        };
        let blocks = [0, 1].map(|version| {
            let (function, shape) = knows(version);
            self.layout(function, &measured).blocks(name, shape)
        });
        for (view, blocks) in self.views.iter_mut().zip(blocks) {
            view.blocks.push(blocks);
        }
    }

    /// Variables that a call may read, and that something writes, are a part of the input.
    fn share_globals(&mut self, old: &Function, new: &Function) {
        let is_input = |global: &GlobalVariable| {
            global.is_touched && global.is_written && global.reach != Reach::Not
        };
        for global in &new.globals {
            let before = old.globals.iter().find(|old| old.name == global.name);
            let Some(before) = before.filter(|before| before.reach != Reach::Not) else {
                continue;
            };
            if global.reach == Reach::Not || !is_input(before) && !is_input(global) {
                continue;
            }
            let (Ok(old_shape), Ok(shape)) = (&before.shape, &global.shape) else {
                continue;
            };
            if old_shape.class() != shape.class() || shape.size() > MOST_INPUT {
                continue;
            }
            let blocks = [(old, old_shape), (new, shape)].map(|(function, shape)| {
                let layout = self.layout(function, &[]);
                layout.blocks(&global.name, shape)
            });
            self.globals.push(Shared {
                name: global.name.clone(),
                shape: shape.clone(),
                target: None,
            });
            if begins_differently(&blocks, [&before.first, &global.first]) {
                self.left_out.push(format!(
                    "the first value of {}, which is not the same in both versions, for it has any value here (`--globals first`)",
                    global.name
                ));
            }
            for (view, blocks) in self.views.iter_mut().zip(blocks) {
                view.globals.push(blocks);
            }
        }
    }

    fn kept_variables(&self, old: &Function, new: &Function) -> Vec<String> {
        let all = old.globals.iter().chain(&new.globals);
        let varying = all.filter(|global| {
            global.is_touched
                && global.is_written
                && !self.globals.iter().any(|shared| shared.name == global.name)
        });
        let names: BTreeSet<String> = varying.map(|global| global.name.clone()).collect();
        names.into_iter().collect()
    }

    fn find_inputs(&mut self) {
        let leaves = |view: &View| -> Vec<Leaf> {
            let leaves = view.all().flat_map(|block| block.leaves.iter().cloned());
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
                width: leaf.bits.map(|bits| bits.width),
                differing: differing.then(|| [before.scalar.clone(), leaf.scalar.clone()]),
            });
        }
        for leaf in &old {
            if !new.iter().any(|new| new.name == leaf.name) {
                self.one_sided(leaf, 0);
            }
        }
        for (view, which) in self.views.iter_mut().zip(VERSIONS) {
            for leaf in view.all_mut().flat_map(|block| &mut block.leaves) {
                if renamed.contains(&leaf.name) {
                    leaf.name = format!("{which}.{}", leaf.name);
                    self.inputs.push(Input {
                        name: leaf.name.clone(),
                        scalar: leaf.scalar.clone(),
                        width: leaf.bits.map(|bits| bits.width),
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
            width: leaf.bits.map(|bits| bits.width),
            differing: None,
        });
    }

    /// Where the pointers of the input may point to.
    fn find_choices(&mut self) {
        let [old, new] = &self.views;
        let mut all: Vec<(String, Choices)> = Vec::new();
        for view in [new, old] {
            let roots = view.blocks.iter().map(|root| (root, false));
            let roots = roots.chain(view.globals.iter().map(|root| (root, true)));
            for (root, is_global) in roots {
                for link in root.iter().flat_map(|block| &block.links) {
                    if all.iter().any(|(name, _)| *name == link.name) {
                        continue;
                    }
                    let earlier = view.blocks.iter().take_while(|other| *other != root);
                    let earlier: Vec<&Block> = earlier.flatten().collect();
                    let first = is_global && root[0].links.iter().any(|own| own.name == link.name);
                    let null = self.extent.null;
                    all.push((link.name.clone(), choices(link, &earlier, first, null)));
                }
            }
        }
        // A block that only one version has is no place for the other's pointers.
        for (_, choices) in &mut all {
            choices.retain(|choice| match choice {
                Choice::Alias(name) => [old, new].iter().all(|view| {
                    let mut blocks = view.all();
                    blocks.any(|block| block.name == *name && !block.by_value)
                }),
                _ => true,
            });
        }
        self.choices = all;
    }

    pub(crate) fn choices_of(&self, link: &str) -> &[Choice] {
        let mut all = self.choices.iter();
        let own = all.find(|(name, _)| name == link);
        own.map_or(&[Choice::Null], |(_, choices)| choices)
    }

    fn observe_result(&mut self, old: &Function, new: &Function) {
        let content = match (&old.returns, &new.returns) {
            (Ok(Some(old)), Ok(Some(new))) if old.class() == new.class() => {
                Content::Value([old.clone(), new.clone()])
            }
            _ => Content::Nothing,
        };
        let lost = match (&old.returns, &new.returns) {
            (Ok(None), Ok(None)) => None,
            (Ok(Some(old)), Ok(Some(new))) if old.class() == new.class() => None,
            (Ok(Some(old)), Ok(Some(new))) => Some(format!(
                "the returned value: it is `{}` in the old version and `{}` in the new one",
                old.in_c(),
                new.in_c()
            )),
            (Ok(None), Ok(Some(_))) => {
                Some("the returned value: the old version returns nothing".to_owned())
            }
            (Ok(Some(_)), Ok(None)) => {
                Some("the returned value: the new version returns nothing".to_owned())
            }
            (Err(what), _) | (_, Err(what)) => Some(format!("the returned value, which is {what}")),
        };
        self.left_out.extend(lost);
        self.observe("parallax.returned", CallObservable::Returned, content);
    }

    fn observe_arguments(&mut self) {
        let mut found = Vec::new();
        let [old, new] = &self.views;
        let parameters = (0..self.parameters.len()).filter(|at| {
            // A parameter that one version does not have says nothing about a difference.
            old.order.contains(at) && new.order.contains(at)
        });
        let parameters = parameters.map(|at| (&old.blocks[at], &new.blocks[at]));
        for (old, new) in parameters.chain(old.globals.iter().zip(&new.globals)) {
            for block in new.iter().filter(|block| !block.by_value) {
                let mut before = old.iter();
                let before = before.find(|old| old.name == block.name && !old.by_value);
                // Also where a pointer is to `const`: that does not keep a function from writing.
                let Some(before) = before else { continue };
                let count = |block: &Block| block.size.checked_div(block.element).unwrap_or(0);
                let count = match new_is_one(block, &self.seen.types[1]) {
                    true => 1,
                    false => count(before).min(count(block)),
                };
                let pair = match (&before.shape, &block.shape) {
                    // Nothing is known of it but its bytes.
                    (Shape::Opaque { .. }, _) | (_, Shape::Opaque { .. }) => [BYTE; 2],
                    (before, after) => [before.clone(), after.clone()],
                };
                let count = match pair == [BYTE; 2] {
                    true => before.size.min(block.size),
                    false => count,
                };
                let sizes = [before.size, block.size];
                if block.element == before.element && !new_is_one(block, &self.seen.types[1]) {
                    let counts = sizes.map(|size| size.checked_div(block.element).unwrap_or(0));
                    self.notes.extend(elements_of_one(&block.name, counts));
                }
                found.push((block.name.clone(), Content::Memory(count, pair)));
            }
            let streams = new.iter().flat_map(|block| &block.links);
            for link in streams.filter(|link| link.shape == Shape::Stream) {
                found.push((link.name.clone(), Content::Bytes));
                found.push((link.name.clone(), Content::Position));
            }
        }
        for (name, content) in found {
            let file = match content {
                Content::Bytes => stream_file(&name),
                Content::Position => format!("{}.position", stream_file(&name)),
                _ => format!("parallax.argument.{}", as_file(&name)),
            };
            let what = match content {
                Content::Position => CallObservable::Argument(format!("{name}, its position")),
                _ => CallObservable::Argument(name),
            };
            self.observe(&file, what, content);
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
                    "the global {name}, which `{}` cannot reach",
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
            if after.size() > MOST_BYTES {
                self.left_out.push(format!(
                    "the global {name}, which has {} bytes",
                    after.size()
                ));
                continue;
            }
            let pair = [before.clone(), after.clone()];
            let what = CallObservable::Global(name.to_owned());
            let file = format!("parallax.global.{}", as_file(name));
            self.observe(&file, what, Content::Value(pair));
        }
    }

    /// What the C library and the system keep of a call.
    fn observe_kept(&mut self, old: &Function, new: &Function) {
        let uses: BTreeSet<String> = old.library.union(&new.library).cloned().collect();
        for kept in kept::ALL.iter().filter(|kept| kept.is_changed(&uses)) {
            let what = CallObservable::Kept(kept.what.to_owned());
            let number = Shape::Scalar(Scalar::Signed(4));
            let content = match kept.is_number {
                true => Content::Value([number.clone(), number]),
                false => Content::Bytes,
            };
            self.observe(kept.function, what, content);
        }
        self.left_out.extend(kept::unknown(&uses));
        if let Some(name) = kept::static_memory(&uses) {
            self.notes.push(format!(
                "the C library's own memory, as what an earlier `{name}` returned, is not compared"
            ));
        }
        if !old.uses_errno && !new.uses_errno && uses.iter().any(|name| kept::may_set_errno(name)) {
            self.notes.push(
                "errno does not count, since the versions' own code does not use it".to_owned(),
            );
        }
    }

    /// How many elements there are behind a pointer in both versions.
    pub(crate) fn elements_of_both(&self, pointer: &str) -> u64 {
        let counts = self.views.iter().map(|view| {
            let mut blocks = view.all();
            let own = blocks.find(|block| block.name == pointer && !block.by_value);
            own.map_or(0, |block| {
                block.size.checked_div(block.element).unwrap_or(0)
            })
        });
        counts.min().unwrap_or(0)
    }

    /// The blocks of either version, by which pointers are known.
    pub(crate) fn block_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for block in self.views.iter().flat_map(View::all) {
            if !block.by_value && !names.contains(&block.name) {
                names.push(block.name.clone());
            }
        }
        names
    }

    /// How another version of the function gets the same input.
    pub(crate) fn view(&self, function: &Function) -> Result<View> {
        let mut view = View::new();
        view.order = vec![0; function.parameters.len()];
        let measured = self.measured();
        let layout = self.layout(function, &measured);
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
            view.blocks.push(layout.blocks(&shared.name, shape));
        }
        if known < function.parameters.len() {
            return Err(Error::Unsupported(format!(
                "the golden version's `{}` has other parameters than the versions to compare; give one with the same \
                 parameters",
                function.name
            )));
        }
        for shared in &self.globals {
            let own = function
                .globals
                .iter()
                .find(|own| own.name == shared.name && own.reach != Reach::Not);
            let shape = own.and_then(|own| own.shape.as_ref().ok());
            let Some(shape) = shape else {
                return Err(Error::Unsupported(format!(
                    "the golden version has no variable `{}`, which is a part of the input; `--globals first` leaves it out",
                    shared.name
                )));
            };
            view.globals.push(layout.blocks(&shared.name, shape));
        }
        Ok(view)
    }
}

const BYTE: Shape = Shape::Scalar(Scalar::Unsigned(1));

/// Larger variables are not compared.
const MOST_BYTES: u64 = 1 << 14;

/// Larger variables keep their first values.
const MOST_INPUT: u64 = 256;

fn new_is_one(block: &Block, types: &crate::types::Types) -> bool {
    block.shape.resolved(types).flexible().is_some()
}

/// Whether a variable that both versions have holds other numbers before `main`. Its pointers may point where they do then in any
/// case ([`Choice::First`]).
fn begins_differently(blocks: &[Vec<Block>; 2], first: [&[u8]; 2]) -> bool {
    let [old, new] = blocks.each_ref().map(|blocks| &blocks[0].leaves);
    new.iter().any(|leaf| {
        let before = old.iter().find(|before| before.name == leaf.name);
        before.is_some_and(|before| first_value(before, first[0]) != first_value(leaf, first[1]))
    })
}

/// The number at a place of a variable, as its type has it; of a floating-point number its bits.
fn first_value(leaf: &Leaf, bytes: &[u8]) -> i128 {
    let byte = |at: u64| bytes.get(at as usize).copied().unwrap_or(0);
    let (first, width) = match leaf.bits {
        Some(bits) => (u64::from(bits.first), u64::from(bits.width)),
        None => (0, 8 * leaf.scalar.bytes()),
    };
    let bits = (first..first + width).map(|bit| byte(leaf.offset + bit / 8) >> (bit % 8) & 1);
    let value = bits
        .zip(0..)
        .fold(0, |value: u128, (bit, at)| value | u128::from(bit) << at);
    let unused = 128 - width as u32;
    match leaf.scalar.is_signed() {
        true => (value << unused) as i128 >> unused,
        false => value as i128,
    }
}

/// The parameters that say how many elements others have, by the shared names.
fn lengths(old: &Function, new: &Function) -> Vec<(String, String)> {
    let mut all = new.lengths.clone();
    for (pointer, length) in &old.lengths {
        let is_new = |name: &str| new.parameters.iter().any(|own| own.name == *name);
        let known = all.iter().any(|(other, _)| other == pointer);
        if !known && is_new(pointer) && is_new(length) {
            all.push((pointer.clone(), length.clone()));
        }
    }
    all
}

fn unwritten(old: &Function, new: &Function) -> Vec<String> {
    let is_constant =
        |global: &GlobalVariable| global.is_touched && global.is_own && !global.is_written;
    let elsewhere = |name: &str| {
        let mut same = old.globals.iter().filter(|global| global.name == name);
        same.all(is_constant)
    };
    let all = new
        .globals
        .iter()
        .filter(|global| is_constant(global) && elsewhere(&global.name));
    all.map(|global| global.name.clone()).collect()
}

/// Where a pointer may point to. What is likely comes first: that is what an input of zeros means.
fn choices(link: &Link, earlier: &[&Block], is_variable: bool, null: bool) -> Choices {
    let is_made = matches!(link.shape, Shape::Function(_) | Shape::Stream);
    let mut choices = match link.has_target || is_made {
        false => vec![Choice::Null],
        true if link.is_recursive => vec![Choice::Null, Choice::Fresh],
        true if null || is_variable => vec![Choice::Fresh, Choice::Null],
        true => vec![Choice::Fresh],
    };
    if is_variable {
        choices.insert(0, Choice::First);
    }
    let (class, read_only, restrict) = match &link.shape {
        Shape::Text {
            read_only,
            restrict,
        } => ("integer".to_owned(), *read_only, *restrict),
        Shape::Pointer {
            to,
            read_only,
            restrict,
        } => (to.class(), *read_only, *restrict),
        _ => return choices,
    };
    if link.is_recursive || !link.has_target || restrict {
        return choices;
    }
    // The same memory twice matters only where one of both writes.
    let is_written = |block: &Block| !(block.restrict || read_only && block.read_only);
    let size = |block: &Block| (block.element, block.shape.class() == class);
    let own = match &link.shape {
        Shape::Pointer { to, .. } => to.size(),
        _ => 1,
    };
    let same = earlier
        .iter()
        .filter(|block| !block.by_value && size(block) == (own, true) && is_written(block));
    choices.extend(same.map(|block| Choice::Alias(block.name.clone())));
    choices
}

/// A name as a part of a file's.
pub(crate) fn as_file(name: &str) -> String {
    let word = |character: char| match character.is_ascii_alphanumeric() {
        true => character,
        false => '_',
    };
    name.replace("->", "_").chars().map(word).collect()
}

/// The file of a stream.
pub(crate) fn stream_file(name: &str) -> String {
    format!("parallax.stream.{}", as_file(name))
}
