//! The symbolic side of memory: which bytes carry a term.
//!
//! A term is an `expr::ExprId` in raw form, 8 bits wide, or 0 for a concrete byte.
//! An object has a shadow only once something symbolic was stored in it, so that a
//! concrete program pays one look at a flag.
//!
//! Invariant: an object is flagged `shadowed` exactly if it is in the table, and its
//! shadow is as long as the object.

use super::{Address, Memory, object_of, offset_of};
use rustc_hash::FxHashMap;

#[derive(Clone, Default, Debug)]
pub(crate) struct Shadows {
    by_object: FxHashMap<u32, Vec<u32>>,
}

impl Shadows {
    pub(crate) fn drop_object(&mut self, id: u32) {
        self.by_object.remove(&id);
    }

    /// Whether an object's bytes have the same terms in both.
    pub(crate) fn same_terms(&self, other: &Shadows, id: u32) -> bool {
        let concrete = |terms: &Vec<u32>| terms.iter().all(|&term| term == 0);
        match (self.by_object.get(&id), other.by_object.get(&id)) {
            (Some(own), Some(theirs)) => own == theirs,
            (Some(terms), None) | (None, Some(terms)) => concrete(terms),
            (None, None) => true,
        }
    }

    pub(crate) fn resize_object(&mut self, id: u32, size: u32) {
        if let Some(terms) = self.by_object.get_mut(&id) {
            terms.resize(size as usize, 0);
        }
    }
}

impl Memory {
    /// Whether the object at `address` may have symbolic bytes.
    #[inline(always)]
    pub fn has_terms(&self, address: Address) -> bool {
        match self.objects.get(object_of(address) as usize) {
            Some(object) => object.shadowed,
            None => false,
        }
    }

    /// The terms of `size` bytes, 0 for a concrete one; `None` if all are concrete, or
    /// if the bytes are not inside an object.
    pub fn terms(&self, address: Address, size: u64) -> Option<&[u32]> {
        if !self.has_terms(address) {
            return None;
        }
        let start = offset_of(address) as usize;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        let terms = self.shadows.by_object.get(&object_of(address))?;
        let terms = terms.get(start..end)?;
        terms.iter().any(|&term| term != 0).then_some(terms)
    }

    /// Gives bytes inside a live object their terms.
    pub fn set_terms(&mut self, address: Address, terms: &[u32]) {
        if terms.is_empty() {
            return;
        }
        let id = object_of(address);
        let object = &mut self.objects[id as usize];
        if !object.shadowed {
            if terms.iter().all(|&term| term == 0) {
                return;
            }
            object.shadowed = true;
            let shadow = vec![0; object.len as usize];
            self.shadows.by_object.insert(id, shadow);
        }
        let start = offset_of(address) as usize;
        let shadow = self.shadows.by_object.get_mut(&id);
        let shadow = shadow.expect("a flagged object has a shadow");
        shadow[start..start + terms.len()].copy_from_slice(terms);
    }

    /// Makes bytes concrete; those outside the object are ignored.
    #[inline]
    pub fn clear_terms(&mut self, address: Address, size: u64) {
        if self.has_terms(address) {
            self.clear_existing_terms(address, size);
        }
    }

    #[cold]
    fn clear_existing_terms(&mut self, address: Address, size: u64) {
        if let Some(shadow) = self.shadows.by_object.get_mut(&object_of(address)) {
            let start = (offset_of(address) as usize).min(shadow.len());
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            let end = start.saturating_add(size).min(shadow.len());
            shadow[start..end].fill(0);
        }
    }

    /// The terms' part of a copy whose bytes are already copied.
    #[cold]
    pub(crate) fn copy_terms(&mut self, to: Address, from: Address, size: u32) {
        let terms = self.terms(from, u64::from(size)).map(<[u32]>::to_vec);
        match terms {
            Some(terms) => self.set_terms(to, &terms),
            None => self.clear_terms(to, u64::from(size)),
        }
    }

    /// Makes all bytes concrete.
    pub(crate) fn forget_terms(&mut self) {
        for (id, _) in self.shadows.by_object.drain() {
            self.objects[id as usize].shadowed = false;
        }
    }

    /// Computes the concrete value of every byte that has a term anew.
    pub(crate) fn reassign_terms(&mut self, mut value_of: impl FnMut(u32) -> u8) {
        for (&id, terms) in &self.shadows.by_object {
            let start = self.objects[id as usize].start as usize;
            for (offset, &term) in terms.iter().enumerate() {
                if term != 0 {
                    self.arena[start + offset] = value_of(term);
                }
            }
        }
    }

    /// Every byte with a term, as address, term and concrete value; in no special order.
    pub(crate) fn symbolic_bytes(&self) -> impl Iterator<Item = (Address, u32, u8)> + '_ {
        self.shadows.by_object.iter().flat_map(move |(&id, terms)| {
            let start = self.objects[id as usize].start as usize;
            let symbolic = terms.iter().enumerate().filter(|&(_, &term)| term != 0);
            symbolic.map(move |(offset, &term)| {
                let address = crate::memory::address_of(id, offset as u32);
                (address, term, self.arena[start + offset])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::memory::{Memory, ObjectKind, object_of};
    use crate::site::CodeSite;

    fn block(memory: &mut Memory, size: u64) -> u64 {
        memory
            .allocate(ObjectKind::Heap, size, CodeSite::NONE)
            .unwrap()
    }

    #[test]
    fn copies_carry_terms_and_concrete_writes_remove_them() {
        let mut memory = Memory::new(1 << 20);
        let (from, to) = (block(&mut memory, 8), block(&mut memory, 8));
        memory.set_terms(from + 2, &[7, 8]);
        memory.copy(to, from, 4).unwrap();
        assert_eq!(memory.terms(to, 8), Some(&[0, 0, 7, 8, 0, 0, 0, 0][..]));
        // Overlapping, as memmove does.
        memory.copy(to + 3, to + 2, 2).unwrap();
        assert_eq!(memory.terms(to, 8), Some(&[0, 0, 7, 7, 8, 0, 0, 0][..]));
        memory.fill(to + 3, 0, 1).unwrap();
        assert_eq!(memory.terms(to + 2, 3), Some(&[7, 0, 8][..]));
        memory.bytes_mut(to, 8).unwrap().fill(1);
        assert_eq!(memory.terms(to, 8), None);
    }

    #[test]
    fn shadows_follow_their_object() {
        let mut memory = Memory::new(1 << 20);
        let first = block(&mut memory, 4);
        memory.set_terms(first, &[1, 2, 3, 4]);
        memory.resize(object_of(first), 6).unwrap();
        assert_eq!(memory.terms(first, 6), Some(&[1, 2, 3, 4, 0, 0][..]));
        memory.resize(object_of(first), 2).unwrap();
        memory.resize(object_of(first), 4).unwrap();
        assert_eq!(memory.terms(first, 4), Some(&[1, 2, 0, 0][..]));
        memory.free(first, CodeSite::NONE).unwrap();
        let second = block(&mut memory, 4);
        assert!(!memory.has_terms(first) && !memory.has_terms(second));
        assert_eq!(memory.symbolic_bytes().count(), 0);
    }
}
