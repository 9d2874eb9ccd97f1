//! Native runs: tests as folders of plain files, programs run on the host with a test's input, and what their runs say of what
//! the VM predicted.

pub mod bounded;
pub mod confinement;
pub mod confirmation;
pub mod error;
pub mod outside;
pub mod own_folder;
pub mod prediction;
pub mod process;
pub mod replay;
pub mod sanitizer_report;
pub mod test_case;

pub use error::Error;
