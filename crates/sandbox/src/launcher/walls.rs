//! Landlock: which files a program may use, and that it signals nobody outside.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};

use super::{Because, DEVICES, Failure, Outcome, kernel};

/// The first one that scopes signals. Earlier ones cannot stand alone.
const NEEDED: ABI = ABI::V6;

/// Refused unless something allows it: everything that this version knows of.
fn everything() -> landlock::BitFlags<AccessFs> {
    AccessFs::from_all(NEEDED)
}

/// What a program may do with the files below some paths.
pub(super) struct Files<'f> {
    pub(super) read: &'f [&'f Path],
    pub(super) write: &'f [&'f Path],
}

/// Whether a missing right is an error or left to the first wall.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wall {
    /// There is no other: all of it, or nothing is run.
    Only,
    /// Namespaces stand already: as much as the kernel has.
    Second,
}

impl Wall {
    fn compatibility(self) -> CompatLevel {
        match self {
            Wall::Only => CompatLevel::HardRequirement,
            Wall::Second => CompatLevel::BestEffort,
        }
    }
}

/// Keeps the calling process and its descendants from signalling others. They may signal each other.
pub(super) fn keep_signals_in() -> Outcome<()> {
    status()?;
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal)
        .and_then(Ruleset::create)
        .because("make a Landlock rule set")?;
    rules.restrict_self().because("enforce Landlock").map(drop)
}

/// Whether this kernel's Landlock can stand alone.
fn status() -> Outcome<()> {
    let text = match kernel::landlock_version() {
        Ok(version) if version >= NEEDED as i32 => return Ok(()),
        Ok(version) => format!(
            "the kernel's Landlock is version {version}, and only version 6 keeps signals in"
        ),
        Err(error) => format!("the kernel has no Landlock, or its use is forbidden here ({error})"),
    };
    Err(Failure::NoWalls(text))
}

/// Confines the calling process, and what it becomes, to some files. The only wall refuses TCP too.
pub(super) fn restrict(files: &Files<'_>, wall: Wall) -> Outcome<()> {
    if wall == Wall::Only {
        status()?;
    }
    let rules = Ruleset::default()
        .set_compatibility(wall.compatibility())
        .handle_access(everything())
        .because("make a Landlock rule set")?;
    let rules = match wall {
        Wall::Only => rules
            .handle_access(AccessNet::from_all(NEEDED))
            .because("close the network with Landlock")?,
        Wall::Second => rules,
    };
    let mut rules = rules
        .scope(Scope::Signal | Scope::AbstractUnixSocket)
        .and_then(Ruleset::create)
        .because("make a Landlock rule set")?;
    let reading = AccessFs::from_read(NEEDED);
    for path in files.read {
        rules = allow(rules, path, reading)?;
    }
    for path in files.write {
        rules = allow(rules, path, everything())?;
    }
    for device in DEVICES {
        rules = allow(
            rules,
            Path::new(device),
            AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev,
        )?;
    }
    rules.restrict_self().because("enforce Landlock").map(drop)
}

/// What is not there needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    rights: landlock::BitFlags<AccessFs>,
) -> Outcome<RulesetCreated> {
    let Ok(data) = std::fs::metadata(path) else {
        return Ok(rules);
    };
    let rights = match data.is_dir() {
        true => rights,
        false => rights & AccessFs::from_file(NEEDED),
    };
    let opened = PathFd::new(path).because("open a path for Landlock")?;
    rules
        .add_rule(PathBeneath::new(opened, rights))
        .because("add a Landlock rule")
}
