//! Tests of functions of C, as a file that includes the source of the version: so `static` functions can be called, and one file tests
//! any version.
//!
//! | module | idea |
//! |---|---|
//! | [`case`] | a test as data: the call of a difference, and what the chosen version does on it |
//! | [`around`] | what is around the call |
//! | [`name`] | names that say what happens |
//! | [`body`] | the functions of a test |
//! | [`checks`] | what is asked for, in the words of a framework |
//! | [`helpers`] | functions that the tests call |
//! | [`file`] | the file around the tests |
//! | [`cmake`] | the tests in CTest |
//! | [`trial`] | which tests hold |

pub mod around;
mod body;
pub mod case;
mod checks;
pub mod cmake;
pub mod file;
mod helpers;
mod name;
pub mod trial;

pub use case::{FunctionCase, function_cases};
