//! Inputs of programs: the space that a check is about, its shapes, and single inputs.
//!
//! | module | idea |
//! |---|---|
//! | [`space`] | what may vary, and the shapes that this has |
//! | [`record`] | an input as bytes, to be written down |
//! | [`compact`] | an input as few bytes of a shape, to be kept and sent |
//! | [`fit`] | whether an input lies in a space, and why not |
//! | [`random`] | random inputs |
//! | [`shape_words`] | what conditions over bytes do not say: how many there are |

pub mod compact;
pub mod fit;
pub mod random;
pub mod record;
pub mod shape_words;
pub mod space;

pub use ::random::SplitMix;
pub use compact::CompactInput;
pub use record::InputRecord;
pub use space::{ArgSpace, InputError, InputSpace, StreamSpace, ValueSpace};
