//! Sets of atoms: all, or a few by name.

use atom::Atom;
use smallvec::SmallVec;

use super::limits;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atoms {
    All,
    /// In the order of their texts.
    Some(SmallVec<[Atom; 2]>),
}

impl Default for Atoms {
    fn default() -> Atoms {
        Atoms::Some(SmallVec::new())
    }
}

impl Atoms {
    /// These atoms, all of them if they are too many.
    pub fn of(atoms: impl IntoIterator<Item = Atom>) -> Atoms {
        let mut atoms: SmallVec<[Atom; 2]> = atoms.into_iter().collect();
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.len() > limits::ATOMS { Atoms::All } else { Atoms::Some(atoms) }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Atoms::Some(atoms) if atoms.is_empty())
    }

    pub fn single(&self) -> Option<Atom> {
        match self {
            Atoms::Some(atoms) if atoms.len() == 1 => Some(atoms[0]),
            _ => None,
        }
    }

    pub fn contains(&self, atom: Atom) -> bool {
        match self {
            Atoms::All => true,
            Atoms::Some(atoms) => atoms.contains(&atom),
        }
    }

    pub fn join(&self, other: &Atoms) -> Atoms {
        match (self, other) {
            (Atoms::All, _) | (_, Atoms::All) => Atoms::All,
            (Atoms::Some(a), Atoms::Some(b)) if a.is_empty() => Atoms::Some(b.clone()),
            (Atoms::Some(a), Atoms::Some(b)) if b.is_empty() || a == b => Atoms::Some(a.clone()),
            (Atoms::Some(a), Atoms::Some(b)) => {
                // Both are sorted; mostly one is inside the other.
                if b.iter().all(|atom| a.contains(atom)) {
                    return Atoms::Some(a.clone());
                }
                Atoms::of(a.iter().chain(b).copied())
            }
        }
    }

    pub fn meet(&self, other: &Atoms) -> Atoms {
        match (self, other) {
            (Atoms::All, same) | (same, Atoms::All) => same.clone(),
            (Atoms::Some(a), Atoms::Some(b)) => {
                Atoms::Some(a.iter().copied().filter(|atom| b.contains(atom)).collect())
            }
        }
    }

    pub fn is_disjoint(&self, other: &Atoms) -> bool {
        match (self, other) {
            (Atoms::All, some) | (some, Atoms::All) => some.is_none(),
            (Atoms::Some(a), Atoms::Some(b)) => !a.iter().any(|atom| b.contains(atom)),
        }
    }

    pub fn without(&self, other: &Atoms) -> Atoms {
        match (self, other) {
            (_, Atoms::All) => Atoms::default(),
            (Atoms::All, _) => Atoms::All,
            (Atoms::Some(a), Atoms::Some(b)) => {
                Atoms::Some(a.iter().copied().filter(|atom| !b.contains(atom)).collect())
            }
        }
    }

    pub fn is_within(&self, other: &Atoms) -> bool {
        match (self, other) {
            (_, Atoms::All) => true,
            (Atoms::All, _) => false,
            (Atoms::Some(a), Atoms::Some(b)) => a.iter().all(|atom| b.contains(atom)),
        }
    }
}
