//! A list in which every value stands once, and is known by its place.

use std::hash::Hash;

use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub(crate) struct Interned<T> {
    values: Vec<T>,
    places: FxHashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned {
            values: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    /// The place of a value, which is added if it is new.
    pub(crate) fn id(&mut self, value: &T) -> u32 {
        if let Some(&place) = self.places.get(value) {
            return place;
        }
        let place = self.values.len() as u32;
        self.values.push(value.clone());
        self.places.insert(value.clone(), place);
        place
    }

    pub(crate) fn find(&self, value: &T) -> Option<u32> {
        self.places.get(value).copied()
    }

    #[inline]
    pub(crate) fn get(&self, place: u32) -> &T {
        &self.values[place as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}
