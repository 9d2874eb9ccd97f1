//! Which function of the new version is which of the old one.
//!
//! eXpress (§4.1) pairs methods by qualified name and signature and takes renamed and
//! re-signatured ones for different methods. Here the name comes first, whatever the
//! signature; what is then left over is paired by similarity of body, so that a renamed
//! or moved function is compared with its former self. A pair is only a candidate for
//! comparison: a wrong pair costs a large change set, never a missed change.

use crate::fingerprint::shape;
use crate::operation::hash_of;
use crate::symbols::{base_name, file_stem};
use crate::version::ClassifiedModule;
use program_ir::{Func, Function, Linkage, Module};
use std::collections::HashMap;

/// The least share of common instructions of two versions of a renamed function.
const RENAMED_SIMILARITY: f64 = 0.6;
/// Smaller bodies are alike by chance, so they must be identical to match.
const SMALLEST_SIMILAR_BODY: usize = 6;
/// Pairs of left-over functions beyond which only identical bodies are looked for.
const MOST_SIMILARITY_PAIRS: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchKind {
    /// Same name, same signature.
    SameName,
    /// Same name, other parameters or result.
    OtherSignature,
    /// Other name, similar body.
    Renamed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionMatch {
    pub old: Func,
    pub new: Func,
    pub kind: MatchKind,
}

/// Matches by name, then by body; gives every matched pair its class.
pub(crate) fn classify(
    old: &mut ClassifiedModule<'_>,
    new: &mut ClassifiedModule<'_>,
) -> Vec<FunctionMatch> {
    let mut matching = Matching::new(old.module, new.module);
    matching.by_key(&|module, func| {
        let function = &module.functions[func];
        let exported = function.linkage != Linkage::Local;
        exported.then(|| function.name.clone())
    });
    matching.by_key(&|module, func| {
        let file = source_file(module, func)?;
        Some(format!(
            "{file}:{}",
            base_name(&module.functions[func].name)
        ))
    });
    matching.by_key(&|module, func| Some(module.functions[func].name.clone()));
    matching.by_key(&|module, func| Some(base_name(&module.functions[func].name)));
    for (class, &(in_old, in_new)) in matching.pairs.iter().enumerate() {
        old.set_function_class(in_old, class as u32);
        new.set_function_class(in_new, class as u32);
    }
    let by_name = matching.pairs.len();
    matching.by_body(old, new);
    for (class, &(in_old, in_new)) in matching.pairs.iter().enumerate().skip(by_name) {
        old.set_function_class(in_old, class as u32);
        new.set_function_class(in_new, class as u32);
    }
    let matches = matching
        .pairs
        .iter()
        .enumerate()
        .map(|(index, &(in_old, in_new))| {
            let same_signature =
                old.module.functions[in_old].signature == new.module.functions[in_new].signature;
            FunctionMatch {
                old: in_old,
                new: in_new,
                kind: match (index < by_name, same_signature) {
                    (false, _) => MatchKind::Renamed,
                    (true, true) => MatchKind::SameName,
                    (true, false) => MatchKind::OtherSignature,
                },
            }
        });
    matches.collect()
}

struct Matching<'a> {
    old: &'a Module,
    new: &'a Module,
    taken_old: Vec<bool>,
    taken_new: Vec<bool>,
    pairs: Vec<(Func, Func)>,
}

impl<'a> Matching<'a> {
    fn new(old: &'a Module, new: &'a Module) -> Self {
        Matching {
            old,
            new,
            taken_old: vec![false; old.functions.len()],
            taken_new: vec![false; new.functions.len()],
            pairs: Vec::new(),
        }
    }

    fn pair(&mut self, old: Func, new: Func) {
        self.taken_old[old.as_u32() as usize] = true;
        self.taken_new[new.as_u32() as usize] = true;
        self.pairs.push((old, new));
    }

    fn left_in_old(&self) -> Vec<Func> {
        let all = self.old.functions.keys();
        all.filter(|func| !self.taken_old[func.as_u32() as usize])
            .collect()
    }

    fn left_in_new(&self) -> Vec<Func> {
        let all = self.new.functions.keys();
        all.filter(|func| !self.taken_new[func.as_u32() as usize])
            .collect()
    }

    /// Pairs what has equal keys, in order of appearance, preferring equal signatures.
    fn by_key(&mut self, key: &dyn Fn(&Module, Func) -> Option<String>) {
        let mut by_key: HashMap<String, Vec<Func>> = HashMap::new();
        for func in self.left_in_old() {
            if let Some(key) = key(self.old, func) {
                by_key.entry(key).or_default().push(func);
            }
        }
        for func in self.left_in_new() {
            let Some(candidates) = key(self.new, func).and_then(|key| by_key.get_mut(&key)) else {
                continue;
            };
            let signature = &self.new.functions[func].signature;
            let alike = |candidate: &Func| self.old.functions[*candidate].signature == *signature;
            let at = candidates.iter().position(alike).unwrap_or(0);
            if !candidates.is_empty() {
                let found = candidates.remove(at);
                self.pair(found, func);
            }
        }
    }

    fn by_body(&mut self, old: &ClassifiedModule<'_>, new: &ClassifiedModule<'_>) {
        let defined = |module: &Module, funcs: Vec<Func>| -> Vec<Func> {
            let has_body = |func: &Func| !module.functions[*func].is_declaration();
            funcs.into_iter().filter(has_body).collect()
        };
        let left_old = defined(self.old, self.left_in_old());
        let left_new = defined(self.new, self.left_in_new());
        let old_bodies: Vec<Body> = left_old.iter().map(|&func| Body::of(old, func)).collect();
        let new_bodies: Vec<Body> = left_new.iter().map(|&func| Body::of(new, func)).collect();

        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, body) in old_bodies.iter().enumerate() {
            by_hash.entry(body.hash).or_default().push(index);
        }
        for (index, body) in new_bodies.iter().enumerate() {
            let candidates = by_hash.get_mut(&body.hash);
            if let Some(found) = candidates.and_then(|candidates| {
                let same_file = |at: &usize| old_bodies[*at].file == body.file;
                let at = candidates.iter().position(same_file).unwrap_or(0);
                (!candidates.is_empty()).then(|| candidates.remove(at))
            }) {
                self.pair(left_old[found], left_new[index]);
            }
        }
        if left_old.len() * left_new.len() > MOST_SIMILARITY_PAIRS {
            return;
        }
        let mut scored = Vec::new();
        for (in_old, old_body) in old_bodies.iter().enumerate() {
            if self.taken_old[left_old[in_old].as_u32() as usize] {
                continue;
            }
            for (in_new, new_body) in new_bodies.iter().enumerate() {
                if self.taken_new[left_new[in_new].as_u32() as usize] {
                    continue;
                }
                let similarity = old_body.similarity(new_body);
                if similarity >= RENAMED_SIMILARITY {
                    let tie = (old_body.file == new_body.file) as u32;
                    scored.push(((similarity * 1e6) as u64, tie, in_old, in_new));
                }
            }
        }
        scored.sort_by(|left, right| {
            (right.0, right.1)
                .cmp(&(left.0, left.1))
                .then((left.2, left.3).cmp(&(right.2, right.3)))
        });
        for (_, _, in_old, in_new) in scored {
            let (in_old, in_new) = (left_old[in_old], left_new[in_new]);
            if !self.taken_old[in_old.as_u32() as usize]
                && !self.taken_new[in_new.as_u32() as usize]
            {
                self.pair(in_old, in_new);
            }
        }
    }
}

fn source_file(module: &Module, func: Func) -> Option<&str> {
    let scope = module.functions[func].scope?;
    Some(file_stem(
        &module.source.files[module.source.scopes[scope].file].name,
    ))
}

/// A function as a bag of instruction shapes.
struct Body<'a> {
    file: Option<&'a str>,
    /// Of all shapes in order and of the signature.
    hash: u64,
    /// Sorted.
    shapes: Vec<u64>,
}

impl<'a> Body<'a> {
    fn of(version: &ClassifiedModule<'a>, func: Func) -> Self {
        let function: &Function = &version.module.functions[func];
        let mut shapes = Vec::with_capacity(function.insts.len());
        for block in function.blocks.values() {
            shapes.extend(
                block
                    .insts
                    .iter()
                    .map(|&inst| shape(version, function, inst)),
            );
        }
        let hash = hash_of(&(&shapes, &function.signature));
        shapes.sort_unstable();
        Body {
            file: source_file(version.module, func),
            hash,
            shapes,
        }
    }

    /// Dice's coefficient of the two bags; 0 for bodies too small to tell.
    fn similarity(&self, other: &Body<'_>) -> f64 {
        let (mine, theirs) = (&self.shapes, &other.shapes);
        let smaller = mine.len().min(theirs.len());
        let larger = mine.len().max(theirs.len());
        if smaller < SMALLEST_SIMILAR_BODY || larger > 3 * smaller {
            return 0.0;
        }
        let (mut at, mut common) = (0, 0);
        for &hash in mine {
            while at < theirs.len() && theirs[at] < hash {
                at += 1;
            }
            if at < theirs.len() && theirs[at] == hash {
                at += 1;
                common += 1;
            }
        }
        2.0 * common as f64 / (mine.len() + theirs.len()) as f64
    }
}
