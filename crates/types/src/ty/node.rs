//! Unions as they are shared: with what is asked of them again and again.
//!
//! Types are made of parts that exist, so what is known of the parts gives what is to be known of
//! the whole without looking further down: which kinds of terms there are (most meets are of types
//! that have none in common), how deep and how large it is (which is asked of every type that a
//! value takes), whether there are variables in it.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::{Type, Union};

/// A union that will not change.
#[derive(Debug)]
pub struct Node {
    parts: Union,
    /// How many types it holds, itself included.
    size: u32,
    /// How many structures are inside each other.
    height: u32,
    kinds: Kinds,
    has_variables: bool,
}

/// A bit for each kind of term.
pub(super) type Kinds = u16;

/// The kind that a single atom is of.
pub(super) const ATOMS: Kinds = 1;
pub(super) const INTEGERS: Kinds = 2;

impl Union {
    /// The kinds of its terms.
    pub(super) fn kinds(&self) -> Kinds {
        let kinds = [
            !self.atoms.is_none(),
            !self.integers.is_none(),
            self.floats,
            self.bits.is_some(),
            self.pids,
            self.ports,
            self.references,
            self.nil,
            self.cons.is_some(),
            !self.tuples.is_none(),
            self.maps.is_some(),
            self.funs.is_some(),
            self.records,
        ];
        kinds.iter().rev().fold(0, |all, &kind| all << 1 | Kinds::from(kind))
    }

    /// Whether there is a type inside it.
    pub(super) fn has_structure(&self) -> bool {
        self.cons.is_some() || self.maps.is_some() || self.funs.is_some() || !self.tuples.is_none()
    }
}

impl Node {
    pub(super) fn new(parts: Union, kinds: Kinds) -> Node {
        let (mut size, mut height, mut has_variables) = (1u32, 0, false);
        if parts.has_structure() {
            parts.for_each_inner(|inner| {
                size = size.saturating_add(inner.size());
                height = inner.height().max(height);
                has_variables |= inner.has_variables();
            });
            height += 1;
        }
        Node { parts, size, height, kinds, has_variables }
    }

    pub(super) fn kinds(&self) -> Kinds {
        self.kinds
    }

    pub(super) fn has_variables(&self) -> bool {
        self.has_variables
    }
}

impl Deref for Node {
    type Target = Union;

    fn deref(&self) -> &Union {
        &self.parts
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        (self.kinds, self.size, self.height) == (other.kinds, other.size, other.height)
            && self.parts == other.parts
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.hash(state);
    }
}

impl Type {
    /// How many types it holds, itself included. (Names are not opened.)
    pub(super) fn size(&self) -> u32 {
        match self {
            Type::Union(node) => node.size,
            Type::Named(named) => {
                named.inner().iter().fold(1, |size: u32, inner| size.saturating_add(inner.size()))
            }
            _ => 1,
        }
    }

    /// How many structures are inside each other.
    pub(super) fn height(&self) -> u32 {
        match self {
            Type::Union(node) => node.height,
            Type::Named(named) => {
                named.inner().iter().map(|inner| inner.height() + 1).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}
