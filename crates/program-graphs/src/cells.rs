//! Memory cells: the places that accesses of the program name.
//!
//! A cell is a place (object and offset, possibly strided) with an extent, as some
//! access of the program reads or writes it. Cells may overlap. Seen as a variable, a
//! cell is what an access of exactly this shape would read: a write changes every cell
//! that it overlaps, a read uses just its own. So fields of a struct stay apart, a block
//! copy of the whole struct is one more cell, and no splitting or merging is needed.

use crate::SparseSet;
use crate::location::{Object, Offset, gcd};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u32);
entity_impl!(Cell, "cell");

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CellData {
    pub object: Object,
    pub offset: Offset,
    /// Bytes; `None` for an unknown number.
    pub extent: Option<u64>,
}

impl CellData {
    pub fn whole(object: Object) -> CellData {
        CellData {
            object,
            offset: Offset::ANY,
            extent: None,
        }
    }

    /// Whether the two can have a byte in common.
    pub fn overlaps(&self, other: &CellData) -> bool {
        if self.object != other.object {
            return false;
        }
        let extent = |cell: &CellData| cell.extent.map(|extent| extent.min(1 << 40) as i64);
        let distance = other.offset.first.wrapping_sub(self.offset.first);
        let step = gcd(self.offset.stride, other.offset.stride) as i64;
        // A common byte exists if some possible distance lies in -theirs+1 ..= own-1.
        match (extent(self), extent(other)) {
            (Some(own), Some(theirs)) if step != 0 => {
                let least = 1 - theirs;
                let first = least + (distance - least).rem_euclid(step);
                first < own
            }
            (Some(own), Some(theirs)) => -theirs < distance && distance < own,
            _ if step != 0 => true,
            (None, Some(theirs)) => -theirs < distance,
            (Some(own), None) => distance < own,
            (None, None) => true,
        }
    }

    /// Whether a write of exactly these bytes replaces all of `other`.
    pub fn covers(&self, other: &CellData) -> bool {
        let exact = self.offset.is_exact() && other.offset.is_exact();
        match (self.extent, other.extent) {
            (Some(own), Some(theirs)) if exact && self.object == other.object => {
                let start = other.offset.first.wrapping_sub(self.offset.first);
                start >= 0 && start as u64 + theirs <= own
            }
            _ => false,
        }
    }
}

/// How many cells of one object are told apart; further accesses count as accesses to
/// the whole object, which overlaps them all.
const CELLS_PER_OBJECT: usize = 64;

#[derive(Clone, Default, Debug)]
pub struct Cells {
    pub cells: PrimaryMap<Cell, CellData>,
    by_object: SecondaryMap<Object, Vec<Cell>>,
    ids: HashMap<CellData, Cell>,
}

impl Cells {
    pub fn cell(&mut self, data: CellData) -> Cell {
        if let Some(&cell) = self.ids.get(&data) {
            return cell;
        }
        let whole = CellData::whole(data.object);
        if data != whole && self.by_object[data.object].len() >= CELLS_PER_OBJECT {
            return self.cell(whole);
        }
        let cell = self.cells.push(data);
        self.ids.insert(data, cell);
        self.by_object[data.object].push(cell);
        cell
    }

    pub fn of_object(&self, object: Object) -> &[Cell] {
        &self.by_object[object]
    }

    /// All cells that overlap one of these.
    pub fn overlapping(&self, cells: &SparseSet) -> SparseSet {
        let mut found = Vec::new();
        for cell in cells.iter() {
            let data = self.cells[Cell::from_u32(cell)];
            for &other in &self.by_object[data.object] {
                if data.overlaps(&self.cells[other]) {
                    found.push(other.as_u32());
                }
            }
        }
        found.into_iter().collect()
    }
}
