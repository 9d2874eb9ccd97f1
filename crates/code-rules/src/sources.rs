//! The crates of the workspace as syntax trees, one for each module.

use std::path::{Path, PathBuf};

/// One crate: its modules, the root first, each parent before its children.
pub struct Crate {
    pub name: String,
    pub modules: Vec<Module>,
}

/// A module that has a file of its own.
pub struct Module {
    /// Names from the crate's root on; empty for the root.
    pub path: Vec<String>,
    pub file: PathBuf,
    pub syntax: syn::File,
}

/// Every crate below the folder `crates` of the workspace, with its library or else its executable.
///
/// # Panics
///
/// Panics if a file cannot be read or is not Rust.
pub fn crates(workspace: &Path) -> Vec<Crate> {
    let folder = workspace.join("crates");
    let entries = std::fs::read_dir(&folder).expect("the workspace has crates");
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let roots = folders.iter().filter_map(|folder| {
        let files = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        let root = files.into_iter().find(|file| file.is_file())?;
        Some((folder, root))
    });
    roots
        .map(|(folder, root)| {
            let name = folder.file_name().unwrap_or_default();
            let mut modules = Vec::new();
            read(&root, Vec::new(), &mut modules);
            Crate {
                name: name.to_string_lossy().into_owned(),
                modules,
            }
        })
        .collect()
}

fn read(file: &Path, path: Vec<String>, modules: &mut Vec<Module>) {
    let text = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("cannot read `{}`: {error}", file.display()));
    let syntax = syn::parse_file(&text)
        .unwrap_or_else(|error| panic!("`{}` is not Rust: {error}", file.display()));
    let children = syntax.items.iter().filter_map(|item| match item {
        syn::Item::Mod(child) if child.content.is_none() && !is_test(&child.attrs) => {
            Some(child.ident.to_string())
        }
        _ => None,
    });
    let children: Vec<String> = children.collect();
    let folder = folder_of_children(file, &path);
    modules.push(Module {
        path: path.clone(),
        file: file.to_owned(),
        syntax,
    });
    for child in children {
        let beside = folder.join(format!("{child}.rs"));
        let inside = folder.join(&child).join("mod.rs");
        let file = if beside.is_file() { beside } else { inside };
        let mut path = path.clone();
        path.push(child);
        read(&file, path, modules);
    }
}

fn folder_of_children(file: &Path, path: &[String]) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    match path.last() {
        Some(name) if !file.ends_with("mod.rs") => folder.join(name),
        _ => folder.to_owned(),
    }
}

/// Whether an item is compiled for tests alone.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg_test = attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"));
        is_cfg_test || attribute.path().is_ident("test")
    })
}
