//! Sequences as code, out of an input, and what is seen of their calls, out of what a driver wrote.

use std::collections::BTreeMap;

use exploration::outputs::Piece;

use super::space::{Alternative, Member, Space};
use super::{NULL, Role};
use crate::c_function::seen::{Names, Reading};
use crate::c_function::space::{Common, Content};
use crate::call::{CallObservable, SequenceCall};
use crate::types::{Scalar, Shape};
use crate::value::{Place, Value};

/// The values of an input, by name.
type Variables = BTreeMap<String, Vec<u8>>;

impl Space {
    /// The calls that an input asks for.
    pub(crate) fn steps(&self, variables: &Variables) -> Vec<SequenceCall> {
        let choice = |label: &str| {
            let chosen = variables.get(&format!("{label}.call"));
            usize::from(chosen.and_then(|bytes| bytes.first().copied()).unwrap_or(0))
        };
        let first = self.begin.get(choice("1")).unwrap_or(&self.begin[0]);
        let mut steps = vec![self.step(*first, "1", variables)];
        let mut has_second = false;
        for call in 2..=self.length + 1 {
            let label = call.to_string();
            let all = &self.go_on[usize::from(has_second)];
            let chosen = choice(&label).checked_sub(1);
            let Some(&which) = chosen.and_then(|chosen| all.get(chosen)) else {
                break;
            };
            steps.push(self.step(which, &label, variables));
            match self.role(which) {
                Some(Role::Destructor) => return steps,
                // The first object is there from the beginning.
                Some(Role::Constructor) | None => has_second = true,
                _ => {}
            }
        }
        let last = choice("last").checked_sub(1);
        if let Some(&which) = last.and_then(|last| self.look_for.get(last)) {
            steps.push(self.step(which, "last", variables));
        }
        steps
    }

    fn role(&self, which: usize) -> Option<Role> {
        let member = self.alternatives[which].member?;
        Some(self.members[member].role)
    }

    fn step(&self, which: usize, label: &str, variables: &Variables) -> SequenceCall {
        let Alternative { member, handles } = &self.alternatives[which];
        let handle = |at: usize| self.handles[handles[at]].clone();
        let Some(member) = member.map(|member| &self.members[member]) else {
            return SequenceCall {
                sets: Some(handle(0)),
                function: None,
                arguments: vec![("NULL".to_owned(), Value::Null)],
            };
        };
        let start = format!("{label}.{}", member.prefix);
        let own: Variables = (variables.iter())
            .filter_map(|(name, bytes)| {
                Some((name.strip_prefix(&start)?.to_owned(), bytes.clone()))
            })
            .collect();
        let mut arguments = member.common.arguments(&own);
        // Those that only the old version has come last.
        for (handle, number) in member.handles[1].iter().zip(handles) {
            let name = &self.handles[*number];
            let shown = match handle.by_address || member.fills(self, 1).is_some() {
                true => format!("&{name}"),
                false => name.clone(),
            };
            let place = handle.place.min(arguments.len());
            arguments.insert(place, (name.clone(), Value::Named(shown)));
        }
        SequenceCall {
            sets: member.sets_handle().then(|| handle(0)),
            function: Some(member.name.clone()),
            arguments,
        }
    }

    /// What a file of a run is about.
    pub(crate) fn observed(&self, file: &str) -> Option<CallObservable> {
        let whole = self.whole.observed.iter();
        if let Some(own) = whole.clone().find(|observed| observed.file == file) {
            return Some(own.what.clone());
        }
        if let Some(handle) = file.strip_prefix("parallax.state.") {
            return Some(CallObservable::State(handle.to_owned()));
        }
        let label = file.strip_prefix("parallax.call.")?;
        if let Some(label) = label.strip_suffix(".state") {
            return Some(match label.parse() {
                Ok(call) => CallObservable::StateAt(call),
                Err(_) => CallObservable::State("what is given".to_owned()),
            });
        }
        if let Some(number) = label.strip_prefix("look") {
            let which = self.look.get(number.parse::<usize>().ok()?)?;
            return Some(CallObservable::Look(self.shown(*which)));
        }
        Some(match label.parse() {
            Ok(call) => CallObservable::Call(call),
            Err(_) => CallObservable::Look("the last call".to_owned()),
        })
    }

    /// What was written of something, as a value.
    pub(crate) fn value(&self, file: &str, written: &[Piece]) -> Option<Value> {
        let mut whole = self.whole.observed.iter();
        if let Some(own) = whole.find(|observed| observed.file == file) {
            return self.whole.symbolic_value(own, written);
        }
        if file.ends_with(".state") || file.starts_with("parallax.state.") {
            let mut reading = self.reading(&self.whole, written);
            return reading.value([&self.handle[0], &self.handle[1]]);
        }
        let (which, rest) = written.split_first()?;
        let Piece::Constant(which) = which else {
            return None;
        };
        let which = usize::from(*which);
        let member = &self.members[self.alternatives.get(which)?.member?];
        let mut returned = None;
        let mut others = Vec::new();
        let mut reading = self.reading(&member.common, rest);
        // `errno` is read, and written, before all others.
        let (errno, values): (Vec<_>, Vec<_>) =
            (member.common.observed.iter()).partition(|own| own.what == CallObservable::Errno);
        for observed in errno.into_iter().chain(values) {
            let value = call_value(&mut reading, &observed.content)?;
            match (&observed.what, value) {
                (_, Value::Nothing) => {}
                (CallObservable::Returned, value) => returned = Some(Box::new(value)),
                (what, value) => others.push((what.to_string(), value)),
            }
        }
        Some(Value::Called {
            call: self.shown(which),
            returned,
            others,
        })
    }

    fn reading<'r>(&'r self, common: &'r Common, rest: &'r [Piece]) -> Reading<'r> {
        Reading {
            seen: &common.seen,
            names: self,
            rest,
            met: 0,
        }
    }
}

/// What is written of one thing that is seen of a call.
fn call_value(reading: &mut Reading<'_>, content: &Content) -> Option<Value> {
    match content {
        Content::Value(pair) => reading.value([&pair[0], &pair[1]]),
        Content::Errno => reading.scalar(&Scalar::Signed(4)),
        Content::Memory(count, pair) => {
            if reading.constants(1)?[0] == 0 {
                return Some(Value::Nothing);
            }
            if reading.constants(1)?[0] != 0 {
                return Some(Value::Named("freed".to_owned()));
            }
            let pair = [&pair[0], &pair[1]];
            let is_struct = matches!(
                pair[1].resolved(&reading.seen.types[1]),
                Shape::Struct { .. } | Shape::Union { .. }
            );
            match (count, is_struct) {
                (1, true) => reading.value(pair),
                (&count, _) => reading.elements(count, pair),
            }
        }
        _ => Some(Value::Nothing),
    }
}

impl Names for Space {
    /// What the arguments of a call point to.
    fn place(&self, block: usize, offset: i64) -> Place {
        Place {
            argument: format!("memory given in call {}", block / self.blocks()),
            offset,
            element: 1,
        }
    }

    fn callback(&self, _: usize) -> String {
        NULL.to_owned()
    }
}

/// A member's name among those of inputs.
pub(crate) fn prefix(name: &str) -> String {
    format!("{name}.")
}

/// What a member's role is called.
pub(crate) fn of_role(members: &[Member], role: Role) -> Vec<&str> {
    let all = members.iter().filter(|member| member.role == role);
    all.map(|member| member.name.as_str()).collect()
}
