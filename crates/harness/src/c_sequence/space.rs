//! The input of sequences: which functions are called, with what, and in which order, for both versions.

use std::collections::BTreeMap;

use expr::{VariableKind, VariableKinds};

use super::members::HandleParameter;
use super::{MOST_HANDLES, NULL, Role};
use crate::c_function::find::Function;
use crate::c_function::pointer_kind;
use crate::c_function::seen::Seen;
use crate::c_function::space::{Common, Content};
use crate::types::Shape;

/// A function of the interface, in both versions.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) functions: [Function; 2],
    pub(crate) handles: [Vec<HandleParameter>; 2],
    /// Whether it returns a handle, in both.
    pub(crate) gives: bool,
    /// About its own parameters.
    pub(crate) common: Common,
    /// What stands before the names of its inputs.
    pub(crate) prefix: String,
    /// Conditions over its parameters.
    pub(crate) assumed: Vec<String>,
}

impl Member {
    /// How many bytes a constructor is given to fill, if it is one that does not get them itself.
    pub(crate) fn fills(&self, space: &Space, version: usize) -> Option<u64> {
        let first = self.handles[version].first()?;
        let is_filled = self.role == Role::Constructor && !first.by_address;
        match &space.handle[version] {
            Shape::Pointer { to, .. } if is_filled => Some(to.size()),
            _ => None,
        }
    }

    /// Whether what it returns is the handle from then on.
    pub(crate) fn sets_handle(&self) -> bool {
        let is_changed = || {
            let first = self.handles[1].first();
            first.is_none_or(|first| !first.read_only)
        };
        match self.role {
            Role::Constructor => self.gives && self.handles[1].is_empty(),
            Role::Mutator => self.gives && is_changed(),
            Role::Observer | Role::Destructor => false,
        }
    }

    /// Whether what is seen of a call has pointers.
    pub(crate) fn leads_on(&self, seen: &Seen) -> bool {
        let mut all = self.common.observed.iter();
        self.role != Role::Constructor
            && all.any(|observed| match &observed.content {
                Content::Value(pair) | Content::Memory(_, pair) => {
                    let mut versions = pair.iter().zip(&seen.types);
                    versions.any(|(shape, types)| shape.has_pointers(types))
                }
                _ => false,
            })
    }
}

/// A call that may come next: of which function, on which handles. None for an object that is a NULL pointer.
pub(crate) struct Alternative {
    pub(crate) member: Option<usize>,
    pub(crate) handles: Vec<usize>,
}

/// All sequences up to a length.
pub(crate) struct Space {
    /// Calls after the first one.
    pub(crate) length: u64,
    pub(crate) members: Vec<Member>,
    /// What users call the handles.
    pub(crate) handles: Vec<String>,
    /// The type of a handle.
    pub(crate) handle: [Shape; 2],
    /// What holds for all functions: variables, and types.
    pub(crate) whole: Common,
    /// All functions as one.
    pub(crate) functions: [Function; 2],
    pub(crate) alternatives: Vec<Alternative>,
    /// How a sequence begins: the value of its choice is the place.
    pub(crate) begin: Vec<usize>,
    /// How one goes on with one handle, and with two: the value of the choice is the place and one; all others end it.
    pub(crate) go_on: Vec<Vec<usize>>,
    /// What is called at the end: functions without further arguments, and those of which one is chosen.
    pub(crate) look: Vec<usize>,
    pub(crate) look_for: Vec<usize>,
    /// Whether NULL is an object.
    pub(crate) may_be_null: bool,
    /// Whether objects are compared, and not only what calls give out.
    pub(crate) states: bool,
}

impl Space {
    /// Finds out what can be called when.
    pub(crate) fn find_alternatives(&mut self) {
        let members = std::mem::take(&mut self.members);
        let of_role = |role: Role| {
            let all = members.iter().enumerate();
            all.filter(move |(_, member)| member.role == role)
                .map(|(number, _)| number)
        };
        let mut add = |member: Option<usize>, handles: &[usize]| {
            let handles = handles.to_vec();
            self.alternatives.push(Alternative { member, handles });
            self.alternatives.len() - 1
        };
        let constructors: Vec<usize> = of_role(Role::Constructor).collect();
        for &number in &constructors {
            self.begin.push(add(Some(number), &[0]));
        }
        if self.may_be_null {
            self.begin.push(add(None, &[0]));
        }
        let (mut one, mut two, mut another) = (Vec::new(), Vec::new(), Vec::new());
        let has_two = self.handles.len() == MOST_HANDLES;
        for role in [Role::Mutator, Role::Destructor] {
            for number in of_role(role) {
                match members[number].handles[1].len() {
                    1 => {
                        one.push(add(Some(number), &[0]));
                        if has_two {
                            two.push(add(Some(number), &[1]));
                        }
                    }
                    _ => {
                        two.push(add(Some(number), &[0, 1]));
                        two.push(add(Some(number), &[1, 0]));
                    }
                }
            }
        }
        if has_two {
            for &number in &constructors {
                another.push(add(Some(number), &[1]));
            }
            if self.may_be_null {
                another.push(add(None, &[1]));
            }
            self.go_on
                .push(one.iter().chain(&another).copied().collect());
            self.go_on.push(one.iter().chain(&two).copied().collect());
        } else {
            self.go_on.push(one);
        }
        for number in of_role(Role::Observer) {
            let member = &members[number];
            let places: &[&[usize]] = match (member.handles[1].len(), has_two) {
                (1, false) => &[&[0]],
                (1, true) => &[&[0], &[1]],
                _ => &[&[0, 1], &[1, 0]],
            };
            for handles in places {
                let own = add(Some(number), handles);
                match member.common.parameters.is_empty() {
                    true => self.look.push(own),
                    false => self.look_for.push(own),
                }
            }
        }
        self.members = members;
    }

    /// How many blocks the arguments of a call have at most.
    pub(crate) fn blocks(&self) -> usize {
        let members = self.members.iter();
        let most = members.map(|member| member.common.block_names().len());
        most.max().unwrap_or(0).max(1)
    }

    pub(crate) fn longest_name(&self) -> usize {
        let names = self.members.iter().flat_map(|member| {
            let inputs = member.common.inputs.iter().map(|input| input.name.len());
            let choices = member.common.choices.iter().map(|(name, _)| name.len());
            inputs
                .chain(choices)
                .map(|length| member.prefix.len() + length)
        });
        names.max().unwrap_or(0)
    }

    /// The labels of calls, in their order, each with what may be called there.
    pub(crate) fn calls(&self) -> Vec<(String, Vec<usize>)> {
        let mut calls = vec![("1".to_owned(), self.begin.clone())];
        for call in 2..=self.length + 1 {
            let all = self.go_on.iter().flatten().copied().collect();
            calls.push((call.to_string(), all));
        }
        for (number, which) in self.look.iter().enumerate() {
            calls.push((format!("look{number}"), vec![*which]));
        }
        calls.push(("last".to_owned(), self.look_for.clone()));
        calls
    }

    /// What the variables of the input are.
    pub(crate) fn kinds(&self) -> VariableKinds {
        let mut kinds = BTreeMap::new();
        for (label, alternatives) in self.calls() {
            let which: &[&[usize]] = match label.as_str() {
                "1" => &[&self.begin],
                "last" => &[&self.look_for],
                _ => &self.go_on.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            };
            let first = u8::from(label != "1");
            if let [all] = which {
                let named = (i128::from(first)..).zip(all.iter());
                let mut names: Vec<(String, i128)> = named
                    .map(|(value, &which)| (self.shown(which), value))
                    .collect();
                if first == 1 {
                    names.insert(0, ("none".to_owned(), 0));
                }
                kinds.insert(format!("{label}.call"), VariableKind::Enumeration(names));
            } else {
                kinds.insert(format!("{label}.call"), VariableKind::Unsigned);
            }
            for which in alternatives {
                let Some(member) = self.alternatives[which].member else {
                    continue;
                };
                let Member { common, prefix, .. } = &self.members[member];
                for input in &common.inputs {
                    let name = format!("{label}.{prefix}{}", input.name);
                    kinds.insert(name, input.scalar.kind());
                }
                for (name, choices) in &common.choices {
                    kinds.insert(format!("{label}.{prefix}{name}"), pointer_kind(choices));
                }
            }
        }
        kinds
    }

    /// A call in code, with dots for arguments that are a part of the input.
    pub(crate) fn shown(&self, which: usize) -> String {
        let Alternative { member, handles } = &self.alternatives[which];
        let Some(member) = member.map(|member| &self.members[member]) else {
            return NULL.to_owned();
        };
        let mut arguments: Vec<&str> = Vec::new();
        let mut own = handles.iter();
        let count = member.common.parameters.len() + member.handles[1].len();
        for place in 0..count {
            let is_handle = member.handles[1].iter().any(|handle| handle.place == place);
            let handle = if is_handle { own.next() } else { None };
            arguments.push(handle.map_or("...", |&handle| &self.handles[handle]));
        }
        arguments.dedup();
        format!("{}({})", member.name, arguments.join(", "))
    }
}
