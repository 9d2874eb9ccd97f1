//! Circles of imports between modules.
//!
//! At each level of a crate, sibling modules must have an order: whatever a module or anything below it names, its siblings that
//! come later in that order do not lead back. A module may name what its parents define, and a parent what its children do; that is how
//! one idea is spread over the files of a folder, and no circle.
//!
//! A name that a parent only passes on (`pub use`) counts as the name of the module that defines it.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use crate::sources::is_test;
use crate::{Crate, Module};

/// Siblings of which each leads to each other by imports.
pub type Circle = Vec<String>;

/// The circles of a crate.
pub fn circles(one: &Crate) -> Vec<Circle> {
    let paths: BTreeSet<&[String]> = one.modules.iter().map(|module| &module.path[..]).collect();
    let passed_on = passed_on(one, &paths);
    // By parent: which child needs which.
    let mut needs: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for module in &one.modules {
        for named in names_in(module) {
            let Some(target) = resolve(&module.path, &named, &paths, &passed_on) else {
                continue;
            };
            let common = module.path.iter().zip(&target);
            let common = common.take_while(|(own, other)| own == other).count();
            // One of both is the other's parent, or they are the same.
            let (Some(from), Some(to)) = (module.path.get(common), target.get(common)) else {
                continue;
            };
            let siblings = needs.entry(target[..common].to_vec()).or_default();
            siblings.entry(from.clone()).or_default().insert(to.clone());
        }
    }
    let mut circles = Vec::new();
    for (parent, siblings) in &needs {
        let full = |name: String| {
            let mut path = vec![one.name.clone()];
            path.extend(parent.iter().cloned());
            path.push(name);
            path.join("::")
        };
        let found = groups(siblings).into_iter();
        circles.extend(found.map(|group| group.into_iter().map(full).collect::<Circle>()));
    }
    circles
}

/// Names that a module passes on from a module below it, by the module and the name.
type PassedOn = BTreeMap<(Vec<String>, String), Vec<String>>;

fn passed_on(one: &Crate, paths: &BTreeSet<&[String]>) -> PassedOn {
    let mut passed_on = PassedOn::new();
    for module in &one.modules {
        for item in &module.syntax.items {
            let syn::Item::Use(item) = item else {
                continue;
            };
            if matches!(item.vis, syn::Visibility::Inherited) {
                continue;
            }
            let mut named = Vec::new();
            flatten(&item.tree, &mut Vec::new(), &mut named);
            for (path, own) in named {
                let nothing = PassedOn::new();
                if let Some(target) = resolve(&module.path, &path, paths, &nothing)
                    && target.len() > module.path.len()
                {
                    passed_on.insert((module.path.clone(), own), target);
                }
            }
        }
    }
    passed_on
}

/// The module that a path leads to, seen from a module of the crate; `None` if it leads out of the crate.
fn resolve(
    from: &[String],
    path: &[String],
    modules: &BTreeSet<&[String]>,
    passed_on: &PassedOn,
) -> Option<Vec<String>> {
    let mut names = path.iter();
    let mut at: Vec<String> = match names.next()?.as_str() {
        "crate" => Vec::new(),
        "self" => from.to_vec(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        first => {
            let mut child = from.to_vec();
            child.push(first.to_owned());
            if !modules.contains(&child[..]) {
                return None;
            }
            child
        }
    };
    for name in names {
        if name == "super" {
            at.pop();
            continue;
        }
        let mut below = at.clone();
        below.push(name.clone());
        if modules.contains(&below[..]) {
            at = below;
            continue;
        }
        if let Some(target) = passed_on.get(&(at.clone(), name.clone())) {
            return Some(target.clone());
        }
        break;
    }
    Some(at)
}

/// Every path that a module names, as its segments.
fn names_in(module: &Module) -> Vec<Vec<String>> {
    let mut names = Names(Vec::new());
    names.visit_file(&module.syntax);
    names.0
}

struct Names(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut named = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut named);
        self.0.extend(named.into_iter().map(|(path, _)| path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names = path.segments.iter();
            self.0
                .push(names.map(|name| name.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// The paths of a `use`, each with the name that it brings in.
fn flatten(tree: &syn::UseTree, before: &mut Vec<String>, named: &mut Vec<(Vec<String>, String)>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, named);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, named);
            }
        }
        syn::UseTree::Glob(_) => named.push((before.clone(), "*".to_owned())),
        syn::UseTree::Name(name) => {
            let mut path = before.clone();
            let own = name.ident.to_string();
            if own != "self" {
                path.push(own.clone());
            }
            named.push((path, own));
        }
        syn::UseTree::Rename(name) => {
            let mut path = before.clone();
            path.push(name.ident.to_string());
            named.push((path, name.rename.to_string()));
        }
    }
}

/// The groups of siblings of which each leads to each other.
fn groups(needs: &BTreeMap<String, BTreeSet<String>>) -> Vec<Circle> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = needs
        .keys()
        .map(|start| (start, reachable(start, needs)))
        .collect();
    let leads = |from: &String, to: &String| reached.get(from).is_some_and(|all| all.contains(to));
    let mut found: BTreeSet<Circle> = BTreeSet::new();
    for start in needs.keys().filter(|&name| leads(name, name)) {
        let group = needs
            .keys()
            .filter(|&name| leads(start, name) && leads(name, start));
        found.insert(group.cloned().collect());
    }
    found.into_iter().collect()
}

/// What can be reached from a module in one step or more.
fn reachable<'n>(
    start: &String,
    needs: &'n BTreeMap<String, BTreeSet<String>>,
) -> BTreeSet<&'n String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = needs.get(start).into_iter().flatten().collect();
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(needs.get(name).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &[&str], text: &str) -> Module {
        Module {
            path: path.iter().map(|&name| name.to_owned()).collect(),
            file: Default::default(),
            syntax: syn::parse_file(text).expect("it is Rust"),
        }
    }

    fn circles_of(modules: Vec<Module>) -> Vec<Circle> {
        circles(&Crate {
            name: "one".to_owned(),
            modules,
        })
    }

    #[test]
    fn siblings_that_need_each_other_are_a_circle() {
        let found = circles_of(vec![
            module(&[], "mod a; mod b;"),
            module(&["a"], "use crate::b::B; pub struct A(B);"),
            module(&["b"], "pub struct B; fn f(a: &crate::a::A) {}"),
        ]);
        assert_eq!(found, [["one::a", "one::b"]]);
    }

    #[test]
    fn a_name_that_is_passed_on_is_its_modules() {
        let found = circles_of(vec![
            module(&[], "mod a; mod b; pub use b::B;"),
            module(&["a"], "use crate::B; pub struct A(B);"),
            module(&["b"], "use super::a::A; pub struct B;"),
        ]);
        assert_eq!(found, [["one::a", "one::b"]]);
    }

    #[test]
    fn parents_and_children_are_no_circle() {
        let found = circles_of(vec![
            module(&[], "mod a; pub struct Root;"),
            module(
                &["a"],
                "mod inner; use inner::I; use crate::Root; pub struct A;",
            ),
            module(
                &["a", "inner"],
                "use super::A; use crate::a::A as B; pub struct I;",
            ),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn tests_may_name_anything() {
        let found = circles_of(vec![
            module(&[], "mod a; mod b;"),
            module(&["a"], "use crate::b::B;"),
            module(
                &["b"],
                "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }
}
