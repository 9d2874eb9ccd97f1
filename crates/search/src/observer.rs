//! Who is told of a search while it goes on.
//!
//! Terms and processes are with the executors. What is to be learnt of them is noted there, by whoever has made the executors, and sent at
//! once, before the job is done: to the search a [`Note`] is bytes.

use crate::coordinator::Progress;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Mutex;
use std::time::Duration;

/// The usual time for drawing inputs. Few searches come near: then the number of inputs depends on the machine.
pub const SETTLING: Duration = Duration::from_secs(1);

/// What was noted of a run where its terms are: plain data of whoever asked for it, encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note(Vec<u8>);

impl Note {
    pub fn of(content: &impl Serialize) -> Note {
        Note(postcard::to_allocvec(content).expect("a note is plain data"))
    }

    /// What [`Note::of`] was given.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        postcard::from_bytes(&self.0).expect("a note is read as it was written")
    }
}

/// What is told of a search while it goes on.
pub trait Observer: Sync {
    /// Called a few times a second.
    fn progress(&self, _: &Progress) {}
    /// What was noted of a run, before the outcome of the job is taken in; of one executor in the order in which it was noted. An error
    /// stops the search.
    fn note(&self, _: &Note) -> std::io::Result<()> {
        Ok(())
    }
    /// The most time for drawing inputs, if it is to be found out how much of the input space is settled.
    fn settling(&self) -> Option<Duration> {
        None
    }
    /// Whether every input of the space is meant. If not, executors say of an input whether it is.
    fn admits_all(&self) -> bool {
        true
    }
}

/// Where executors send their notes.
pub struct Notes<'o> {
    observer: &'o dyn Observer,
    /// Why the observer could not take one in.
    refused: Mutex<Option<String>>,
}

impl<'o> Notes<'o> {
    pub fn to(observer: &'o dyn Observer) -> Notes<'o> {
        Notes {
            observer,
            refused: Mutex::default(),
        }
    }

    pub fn send(&self, note: &Note) {
        if let Err(error) = self.observer.note(note) {
            let mut refused = self.refused.lock().expect("no worker panicked");
            refused.get_or_insert(error.to_string());
        }
    }

    /// Why a note could not be taken in, once.
    pub(crate) fn refused(&self) -> Option<String> {
        self.refused.lock().expect("no worker panicked").take()
    }

    pub(crate) fn observer(&self) -> &'o dyn Observer {
        self.observer
    }
}
