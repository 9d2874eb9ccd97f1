//! Byte strings with an optional symbolic shadow: what files, pipes and output streams hold.
//!
//! A term id of 0 marks a concrete byte. The shadow exists only once something symbolic was stored,
//! so concrete programs pay nothing for it.

/// A byte string of which each byte may carry the id of the term it equals.
///
/// Invariant: a shadow is as long as the bytes.
#[derive(Clone, Default, Debug)]
pub struct Bytes {
    bytes: Vec<u8>,
    terms: Option<Vec<u32>>,
}

/// A borrowed part of some [`Bytes`] or of guest memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BytesView<'a> {
    pub bytes: &'a [u8],
    pub terms: Option<&'a [u32]>,
}

impl Bytes {
    pub fn concrete(bytes: impl Into<Vec<u8>>) -> Bytes {
        Bytes {
            bytes: bytes.into(),
            terms: None,
        }
    }

    /// Bytes with one term id each; 0 for a concrete byte.
    ///
    /// Panics if the two lengths differ.
    pub fn symbolic(bytes: impl Into<Vec<u8>>, terms: impl Into<Vec<u32>>) -> Bytes {
        let (bytes, terms) = (bytes.into(), terms.into());
        assert_eq!(bytes.len(), terms.len(), "one term id per byte");
        let terms = terms.iter().any(|&term| term != 0).then_some(terms);
        Bytes { bytes, terms }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// One id per byte, or `None` if all are concrete.
    pub fn terms(&self) -> Option<&[u32]> {
        self.terms.as_deref()
    }

    pub fn view(&self) -> BytesView<'_> {
        BytesView {
            bytes: &self.bytes,
            terms: self.terms.as_deref(),
        }
    }

    /// At most `length` bytes from `offset`; fewer, or none, at the end.
    pub fn slice(&self, offset: u64, length: usize) -> BytesView<'_> {
        let start = usize::try_from(offset).map_or(self.len(), |offset| offset.min(self.len()));
        let end = start.saturating_add(length).min(self.len());
        BytesView {
            bytes: &self.bytes[start..end],
            terms: self.terms.as_ref().map(|terms| &terms[start..end]),
        }
    }

    /// Stores `data` at `offset`; a gap before it is filled with zeros.
    pub fn write_at(&mut self, offset: usize, data: BytesView<'_>) {
        let end = offset + data.bytes.len();
        if end > self.len() {
            self.resize(end);
        }
        self.bytes[offset..end].copy_from_slice(data.bytes);
        match (&mut self.terms, data.terms) {
            (Some(terms), Some(new)) => terms[offset..end].copy_from_slice(new),
            (Some(terms), None) => terms[offset..end].fill(0),
            (None, Some(new)) if new.iter().any(|&term| term != 0) => {
                let mut terms = vec![0; self.bytes.len()];
                terms[offset..end].copy_from_slice(new);
                self.terms = Some(terms);
            }
            (None, _) => {}
        }
    }

    pub fn append(&mut self, data: BytesView<'_>) {
        self.write_at(self.len(), data);
    }

    /// Cuts off the end, or extends with zeros.
    pub fn resize(&mut self, length: usize) {
        self.bytes.resize(length, 0);
        if let Some(terms) = &mut self.terms {
            terms.resize(length, 0);
        }
    }

    /// Computes every byte that has a term anew.
    pub(super) fn reassign_terms(&mut self, value_of: &mut dyn FnMut(u32) -> u8) {
        for (byte, &term) in self.bytes.iter_mut().zip(self.terms.iter().flatten()) {
            if term != 0 {
                *byte = value_of(term);
            }
        }
    }

    pub(super) fn forget_terms(&mut self) {
        self.terms = None;
    }

    /// Removes the first `count` bytes.
    pub fn drop_front(&mut self, count: usize) {
        self.bytes.drain(..count);
        if let Some(terms) = &mut self.terms {
            terms.drain(..count);
        }
    }
}

/// A shadow without terms says no more than none.
impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        let term = |bytes: &Bytes, index: usize| bytes.terms.as_ref().map_or(0, |t| t[index]);
        let shadowed = self.terms.is_some() || other.terms.is_some();
        self.bytes == other.bytes
            && (!shadowed || (0..self.len()).all(|i| term(self, i) == term(other, i)))
    }
}

impl Eq for Bytes {}

impl<'a> BytesView<'a> {
    pub fn concrete(bytes: &'a [u8]) -> BytesView<'a> {
        BytesView { bytes, terms: None }
    }

    pub fn to_bytes(self) -> Bytes {
        Bytes {
            bytes: self.bytes.to_vec(),
            terms: self
                .terms
                .filter(|terms| terms.iter().any(|&term| term != 0))
                .map(<[u32]>::to_vec),
        }
    }

    /// The first `length` bytes.
    pub fn prefix(self, length: usize) -> BytesView<'a> {
        BytesView {
            bytes: &self.bytes[..length],
            terms: self.terms.map(|terms| &terms[..length]),
        }
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes::concrete(text)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes::concrete(bytes)
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::concrete(bytes)
    }
}
