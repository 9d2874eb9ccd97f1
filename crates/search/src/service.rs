//! Who does jobs, and how messages come to it.

use crate::messages::{Order, Reply};

/// Does one job after the other. It chooses nothing: the same orders give the same replies, but for what they cost.
pub trait Executor {
    fn perform(&mut self, order: Order) -> Reply;
}

impl Executor for Box<dyn Executor + '_> {
    fn perform(&mut self, order: Order) -> Reply {
        (**self).perform(order)
    }
}

/// How messages are carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Transport {
    /// As they are, by a call.
    #[default]
    Direct,
    /// Each is encoded to bytes and decoded again, as if it came from another machine.
    Encoded,
}

impl Transport {
    /// An executor at the other end.
    pub fn to<'e>(self, executor: impl Executor + 'e) -> Box<dyn Executor + 'e> {
        match self {
            Transport::Direct => Box::new(executor),
            Transport::Encoded => Box::new(Encoded(executor)),
        }
    }
}

/// Sees nothing but bytes of what it is sent, and gives nothing else away.
struct Encoded<E>(E);

impl<E: Executor> Executor for Encoded<E> {
    fn perform(&mut self, order: Order) -> Reply {
        let sent = postcard::to_allocvec(&order).expect("an order is plain data");
        drop(order);
        let order = postcard::from_bytes(&sent).expect("an order is read as it was written");
        let reply = self.0.perform(order);
        let sent = postcard::to_allocvec(&reply).expect("a reply is plain data");
        drop(reply);
        postcard::from_bytes(&sent).expect("a reply is read as it was written")
    }
}
