//! Runs a native program where it cannot touch anything outside its folder.
//!
//! The inputs that a search invents are the ones that nobody types, and the versions may be a stranger's. So every program
//! of a user is started here, by a small single-threaded process of ours, `parallax-box`, which builds the walls and then
//! becomes (the parent of) the program. There are two kinds of walls:
//!
//! 1. [`Level::Namespaces`]: the program has its own file tree (the system's folders read-only, its own folder and `/tmp` in
//!    memory), its own processes, network, host name and users, and is nobody outside. Landlock and a seccomp filter are a
//!    second wall inside.
//! 2. [`Level::Landlock`]: where namespaces are forbidden. The program sees the host's names, but Landlock lets it write in
//!    its folder alone and signal nobody outside, and a seccomp filter refuses sockets and every call that changes what
//!    Landlock does not watch (modes, owners and times of files).
//!
//! Where neither can be had, [`Walls::find`] says why and what would help; the caller decides. [`Level::Unconfined`] has no walls
//! and is chosen by a user's word alone.
//!
//! A *build* of a stranger's project runs behind the first kind of walls too, in folders of the host that are shown to it ([`Folders`]).
//!
//! **What a program sees** is made equal to what the VM's Linux model answers: user and group 1000, process 1000 whose parent
//! is 1, host `localhost`, working folder `/home/user`, an empty `/tmp`, no other files than the system's own programs and libraries.

mod find;
pub mod launcher;
mod level;
mod libraries;
mod owned;
mod remedy;
mod request;
mod run;

pub use find::{Missing, Unavailable, Walls};
pub use level::Level;
pub use owned::Owned;
pub use remedy::Remedy;
pub use request::{BoxFolder, End, Folders, LauncherReport, Limit, Limits, Program};
pub use run::{BoxError, Running, Streams, launcher as find_launcher, start, stop};
