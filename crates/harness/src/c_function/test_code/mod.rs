//! A call of a function as a test in C makes it: its input as a colleague would write it down, and what there is to ask for
//! afterwards.
//!
//! | module | idea |
//! |---|---|
//! | [`given`] | the input as declarations and statements |
//! | [`leaves`] | what a run left, as single values at places of C |
//! | [`wanted`] | which of these values a test asks for |
//! | [`place`] | objects, as C writes them |
//!
//! What C cannot say without a great deal of code (functions that answer as the input says, streams) is refused, in words.

pub(crate) mod given;
pub(crate) mod leaves;
pub(crate) mod place;
pub(crate) mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::find::{Function, Reach};
use super::layout::Leaf as InputLeaf;
use super::space::{Choice, Common, Content, Observed, Shared};
use crate::call::CallObservable;
use crate::test_code::{CallCode, Check, ResultCode, TestCode, words};
use crate::types::Shape;
use given::{Given, Refused, declared};
use leaves::{Leaf, LeafValue, Walk};
use place::{Place, Target};
use wanted::{Wanting, wanted};

/// The files that a run of a driver has left.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// How a test reaches a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variable {
    reach: Reach,
    shape: Option<Shape>,
    first: Vec<u8>,
}

/// What a test must know of the function beside its input space.
pub(crate) struct Called<'c> {
    pub(crate) name: &'c str,
    pub(crate) common: &'c Common,
    /// By name, of both versions.
    pub(crate) variables: &'c [BTreeMap<String, Variable>; 2],
    /// What the source calls the type of the result.
    pub(crate) result: Option<&'c str>,
}

/// The variables of a version.
pub(crate) fn variables(function: &Function) -> BTreeMap<String, Variable> {
    let all = function.globals.iter().map(|global| {
        let variable = Variable {
            reach: global.reach,
            shape: global.shape.as_ref().ok().cloned(),
            first: global.first.clone(),
        };
        (global.name.clone(), variable)
    });
    all.collect()
}

/// The blocks that a call has given back to the heap in some version.
pub(crate) fn freed(common: &Common, files: [&Files; 2]) -> BTreeSet<String> {
    let gone = |observed: &&Observed| {
        let file = Path::new(&observed.file);
        let mut versions = files.iter();
        matches!(observed.content, Content::Memory(..))
            && versions.any(|files| files.get(file).and_then(|bytes| bytes.first()) == Some(&1))
    };
    let names = common.observed.iter().filter(gone);
    let names = names.filter_map(|observed| match &observed.what {
        CallObservable::Argument(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

impl Called<'_> {
    /// The test of a call, with what both versions left; an error if C cannot say it.
    pub(crate) fn code(
        &self,
        input: &BTreeMap<String, Vec<u8>>,
        files: [&Files; 2],
    ) -> Result<TestCode, Refused> {
        let views = &self.common.views;
        if views[0].order != views[1].order {
            return Err(
                "the versions take different parameters, so no call can be compiled with both"
                    .to_owned(),
            );
        }
        let freed = freed(self.common, files);
        let none = BTreeSet::new();
        let first = self.attempt(input, files, &freed, &none)?;
        let inline = self.unnamed(&first);
        self.attempt(input, files, &freed, &inline)
    }

    /// Texts of which nothing is asked: they are written where they are passed.
    fn unnamed(&self, code: &TestCode) -> BTreeSet<String> {
        let mentioned = |name: &str| {
            let mut checks = code
                .calls
                .iter()
                .flat_map(|call| call.checks.iter().flatten());
            let calls = code.calls.iter().map(|call| &call.call);
            let uses = code.given.iter().chain(calls).map(|line| words(line, name));
            checks.any(|check: &Check| check.mentions(name)) || uses.sum::<usize>() > 2
        };
        let parameters = self.common.parameters.iter();
        let texts = parameters.filter(|shared| {
            matches!(
                shared.shape,
                Shape::Text {
                    read_only: true,
                    ..
                }
            ) && !mentioned(&shared.name)
        });
        texts.map(|shared| shared.name.clone()).collect()
    }

    fn attempt(
        &self,
        input: &BTreeMap<String, Vec<u8>>,
        files: [&Files; 2],
        freed: &BTreeSet<String>,
        inline: &BTreeSet<String>,
    ) -> Result<TestCode, Refused> {
        let common = self.common;
        let taken = self.variables.iter().flat_map(BTreeMap::keys).cloned();
        let taken = taken
            .chain([self.name.to_owned(), "errno".to_owned()])
            .collect();
        let mut given = Given::new(common, input, freed, inline, taken);
        let mut arguments = Vec::new();
        for &at in &common.views[1].order {
            arguments.push(given.argument(&common.parameters[at])?);
        }
        for at in 0..common.further {
            let bytes = input
                .get(&format!("...[{at}]"))
                .cloned()
                .unwrap_or_default();
            let mut wide = [0; 8];
            wide[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
            arguments.push(format!("{}L", i64::from_le_bytes(wide)));
        }
        for shared in &common.globals {
            self.set(shared, input, &mut given)?;
        }
        given.finish();
        let mut observed = common.observed.iter();
        if observed.any(|observed| observed.what == CallObservable::Errno) {
            given.lines.push("errno = 0;".to_owned());
            let before = LeafValue::Integer {
                text: "0".to_owned(),
                is_signed: true,
            };
            given.before.insert("errno".to_owned(), before);
        }
        let result = given.name("result");
        let returned = common.observed.first().map(|observed| &observed.content);
        let own = match returned {
            Some(Content::Value(pair)) => Some(ResultCode {
                declared: declared(&pair[1], &result, self.result)?,
                name: result.clone(),
            }),
            _ => None,
        };
        let left = [0, 1].map(|version| self.left(files[version], &given.blocks, inline, &result));
        let wanting = Wanting {
            before: &given.before,
            left: &left,
        };
        let (checks, not_asked) = wanted(&wanting);
        Ok(TestCode {
            given: self.external().chain(given.lines).collect(),
            calls: vec![CallCode {
                call: format!("{}({})", self.name, arguments.join(", ")),
                result: own,
                checks,
            }],
            has_state: !common.globals.is_empty()
                || common.observed.iter().any(|observed| {
                    matches!(
                        observed.what,
                        CallObservable::Global(_) | CallObservable::Kept(_)
                    )
                }),
            not_asked,
        })
    }

    /// Declarations of variables that other sources define.
    fn external(&self) -> impl Iterator<Item = String> {
        let observed = self
            .common
            .observed
            .iter()
            .filter_map(|observed| match &observed.what {
                CallObservable::Global(name) => Some(name),
                _ => None,
            });
        let inputs = self.common.globals.iter().map(|shared| &shared.name);
        let names: BTreeSet<&String> = observed.chain(inputs).collect();
        let external = names.into_iter().filter_map(|name| {
            let variable = self.variables[1].get(name)?;
            let shape = variable.shape.as_ref()?;
            let text = declared(shape, name, None).ok()?;
            (variable.reach == Reach::BySymbol).then(|| format!("extern {text};"))
        });
        external.collect::<Vec<String>>().into_iter()
    }

    /// Whether a test can name a variable.
    fn is_reached(&self, name: &str) -> bool {
        let mut versions = self.variables.iter();
        versions.all(|variables| {
            let variable = variables.get(name);
            variable.is_some_and(|own| matches!(own.reach, Reach::ByName | Reach::BySymbol))
        })
    }

    /// Sets a variable to its value in the input. One that cannot be named is as it is at the start.
    fn set(
        &self,
        shared: &Shared,
        input: &BTreeMap<String, Vec<u8>>,
        given: &mut Given<'_>,
    ) -> Result<(), Refused> {
        let name = &shared.name;
        if self.is_reached(name) {
            return given.global(shared);
        }
        let mut blocks = self.common.views[1].globals.iter();
        let Some(blocks) = blocks.find(|blocks| blocks[0].name == *name) else {
            return Ok(());
        };
        let is_first = |leaf: &InputLeaf| {
            let bytes = self.common.input_bytes(&leaf.name, input);
            let bytes = bytes.map_or(vec![0; leaf.scalar.bytes() as usize], |(_, bytes)| bytes);
            self.variables.iter().all(|variables| {
                let first = variables.get(name).map_or(&[][..], |own| &own.first);
                let at = |place: usize| first.get(leaf.offset as usize + place).copied();
                let mut own = bytes.iter().zip(0..);
                leaf.bits.is_none() && own.all(|(&byte, place)| byte == at(place).unwrap_or(0))
            })
        };
        let choice = |name: &String| {
            let choices = self.common.choices_of(name);
            let chosen = input.get(name).and_then(|bytes| bytes.first()).copied();
            choices
                .get(usize::from(chosen.unwrap_or(0)))
                .unwrap_or(&choices[0])
        };
        let mut links = blocks[0].links.iter();
        match blocks[0].leaves.iter().all(is_first)
            && links.all(|link| *choice(&link.name) == Choice::First)
        {
            true => Ok(()),
            false => Err(format!(
                "its input sets {name}, which no other file can name (a `static` variable inside a function, or of another file)"
            )),
        }
    }

    /// What a run left, if the call came back.
    fn left(
        &self,
        files: &Files,
        blocks: &BTreeMap<String, Target>,
        unnamed: &BTreeSet<String>,
        result: &str,
    ) -> Option<Vec<Leaf>> {
        let content = |observed: &Observed| files.get(Path::new(&observed.file));
        content(self.common.observed.first()?)?;
        let mut found = Vec::new();
        for observed in &self.common.observed {
            let is_unnamed =
                matches!(&observed.what, CallObservable::Argument(name) if unnamed.contains(name));
            let Some(rest) = content(observed).filter(|_| !is_unnamed) else {
                continue;
            };
            let mut walk = Walk {
                common: self.common,
                blocks,
                rest,
                met: Vec::new(),
                found,
            };
            let place = match &observed.what {
                CallObservable::Returned => Some(Target::One(Place::variable(result))),
                CallObservable::Errno => Some(Target::One(Place::variable("errno"))),
                CallObservable::Argument(name) => blocks.get(name).cloned(),
                CallObservable::Global(name) if self.is_reached(name) => {
                    Some(Target::One(Place::variable(name)))
                }
                _ => None,
            };
            if walk.observed(observed, place).is_none() {
                walk.found.push(Leaf {
                    place: observed.what.to_string(),
                    array: None,
                    known: LeafValue::Other(format!("{rest:02x?}")),
                });
            }
            found = walk.found;
        }
        Some(found)
    }
}
