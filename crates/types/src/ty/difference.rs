//! What is left of a type when another is taken away.
//!
//! The answer holds every term that is left, and may hold more: where what is left cannot be said,
//! nothing is taken away.

use super::{Cons, Type, Union};

impl Type {
    /// The terms that are not in the other.
    pub fn without(&self, other: &Type) -> Type {
        if other.is_none() || self.is_none() {
            return self.clone();
        }
        if self.is_within(other) {
            return Type::None;
        }
        if self.is_disjoint(other) {
            return self.clone();
        }
        self.parts().without(other.parts()).into_type()
    }
}

impl Union {
    fn without(&self, other: &Union) -> Union {
        Union {
            atoms: self.atoms.without(&other.atoms),
            integers: self.integers.without(&other.integers),
            floats: self.floats && !other.floats,
            bits: match (self.bits, other.bits) {
                (Some(a), Some(b)) if a.is_within(b) => None,
                (a, _) => a,
            },
            pids: self.pids && !other.pids,
            ports: self.ports && !other.ports,
            references: self.references && !other.references,
            nil: self.nil && !other.nil,
            cons: match (&self.cons, &other.cons) {
                (Some(a), Some(b)) => lists_without(a, b),
                (a, _) => a.clone(),
            },
            tuples: self.tuples.without(&other.tuples),
            maps: match (&self.maps, &other.maps) {
                (Some(a), Some(b)) if a.is_within(b) => None,
                (a, _) => a.clone(),
            },
            funs: match (&self.funs, &other.funs) {
                // What a fun does cannot be seen: only all of them can be taken away.
                (Some(_), Some(b)) if b.args.is_none() && b.result.is_any() => None,
                (a, _) => a.clone(),
            },
            records: self.records && !other.records,
        }
    }
}

fn lists_without(a: &Cons, b: &Cons) -> Option<Cons> {
    if a.head.is_within(&b.head) && a.tail.is_within(&b.tail) {
        return None;
    }
    // Where elements say nothing, what is behind the last one may.
    let tail = if a.head.is_within(&b.head) { a.tail.without(&b.tail) } else { a.tail.clone() };
    (!tail.is_none()).then(|| Cons { head: a.head.clone(), tail })
}
