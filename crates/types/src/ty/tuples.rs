//! Sets of tuples: by size, and within a size by the atom that comes first.

use std::sync::Arc;

use atom::Atom;
use smallvec::SmallVec;

use super::{Type, limits};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tuples {
    All,
    /// In the order of size, then tag. Within a size either every one has a tag of its own, or
    /// there is only one.
    Some(Vec<Arc<[Type]>>),
}

impl Default for Tuples {
    fn default() -> Tuples {
        Tuples::Some(Vec::new())
    }
}

/// Size and tag.
fn key(tuple: &[Type]) -> (usize, Option<Atom>) {
    (tuple.len(), tuple.first().and_then(Type::single_atom))
}

impl Tuples {
    pub fn one(elements: Vec<Type>) -> Tuples {
        Tuples::Some(vec![elements.into()])
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Tuples::Some(tuples) if tuples.is_empty())
    }

    /// The tuples of a size; `None` if nothing is known about them.
    pub fn of_size(&self, size: usize) -> Option<impl Iterator<Item = &[Type]>> {
        match self {
            Tuples::All => None,
            Tuples::Some(tuples) => {
                Some(tuples.iter().map(|tuple| &**tuple).filter(move |tuple| tuple.len() == size))
            }
        }
    }

    /// What is at a place (from 0) of its tuples of a size.
    pub fn element(&self, size: usize, place: usize) -> Type {
        match self.of_size(size) {
            None => Type::Any,
            Some(tuples) => tuples.fold(Type::None, |joined, tuple| joined.join(&tuple[place])),
        }
    }

    pub fn join(&self, other: &Tuples) -> Tuples {
        match (self, other) {
            (Tuples::All, _) | (_, Tuples::All) => Tuples::All,
            (Tuples::Some(a), b) if a.is_empty() => b.clone(),
            (a, Tuples::Some(b)) if b.is_empty() => a.clone(),
            (Tuples::Some(a), Tuples::Some(b)) => {
                if a == b {
                    return self.clone();
                }
                Tuples::gathered(a.iter().chain(b).cloned().collect())
            }
        }
    }

    /// Sorted, those of one size and tag joined, and widened where they are too many.
    fn gathered(mut tuples: Vec<Arc<[Type]>>) -> Tuples {
        if let [_] = tuples[..] {
            return Tuples::Some(tuples);
        }
        if !tuples.is_sorted_by_key(|tuple| key(tuple)) {
            tuples.sort_by_key(|tuple| key(tuple));
        }
        let mut joined: Vec<Arc<[Type]>> = Vec::new();
        let mut sizes = 0;
        let mut rest = tuples.as_slice();
        while let Some(first) = rest.first() {
            let same_size = rest.iter().take_while(|tuple| tuple.len() == first.len()).count();
            let (group, others) = rest.split_at(same_size);
            rest = others;
            sizes += 1;
            let start = joined.len();
            for tuple in group {
                match joined[start..].last_mut() {
                    Some(last) if key(last) == key(tuple) => *last = joined_with(last, tuple),
                    _ => joined.push(tuple.clone()),
                }
            }
            let untagged = joined[start..].iter().any(|tuple| key(tuple).1.is_none());
            if joined.len() - start > 1 && (untagged || joined.len() - start > limits::TAGS) {
                let mut all = joined.drain(start..);
                if let Some(mut one) = all.next() {
                    for tuple in all {
                        one = joined_with(&one, &tuple);
                    }
                    joined.push(one);
                }
            }
        }
        if sizes > limits::SIZES { Tuples::All } else { Tuples::Some(joined) }
    }

    pub fn meet(&self, other: &Tuples) -> Tuples {
        match (self, other) {
            (Tuples::All, same) | (same, Tuples::All) => same.clone(),
            (Tuples::Some(a), Tuples::Some(b)) => {
                if a == b {
                    return self.clone();
                }
                let mut both = Vec::new();
                for one in a {
                    both.extend(b.iter().filter_map(|two| met_with(one, two)));
                }
                Tuples::gathered(both)
            }
        }
    }

    /// Whether there is no tuple that is of both.
    pub fn is_disjoint(&self, other: &Tuples) -> bool {
        match (self, other) {
            (Tuples::All, some) | (some, Tuples::All) => some.is_none(),
            (Tuples::Some(a), Tuples::Some(b)) => !a.iter().any(|one| {
                b.iter().any(|two| {
                    one.len() == two.len()
                        && one.iter().zip(two.iter()).all(|(x, y)| !x.is_disjoint(y))
                })
            }),
        }
    }

    /// What is left, tuple by tuple: one goes if it is inside one of the others.
    pub fn without(&self, other: &Tuples) -> Tuples {
        match (self, other) {
            (_, Tuples::All) => Tuples::default(),
            (Tuples::All, _) => Tuples::All,
            (Tuples::Some(a), Tuples::Some(b)) => {
                let left = a.iter().filter_map(|one| {
                    let (mut one, size) = (one.to_vec(), one.len());
                    for two in b.iter().filter(|two| two.len() == size) {
                        // Elements that are inside say nothing; one that is not can be cut.
                        let mut outside =
                            (0..one.len()).filter(|&place| !one[place].is_within(&two[place]));
                        match (outside.next(), outside.next()) {
                            (None, _) => return None,
                            (Some(place), None) => one[place] = one[place].without(&two[place]),
                            _ => {}
                        }
                    }
                    Some(one.into())
                });
                Tuples::gathered(left.collect())
            }
        }
    }

    pub fn is_within(&self, other: &Tuples) -> bool {
        match (self, other) {
            (_, Tuples::All) => true,
            (Tuples::All, _) => false,
            (Tuples::Some(a), Tuples::Some(b)) => a.iter().all(|one| {
                b.iter()
                    .filter(|two| two.len() == one.len())
                    .any(|two| one.iter().zip(two.iter()).all(|(x, y)| x.is_within(y)))
                    || inside_several(one, b)
            }),
        }
    }
}

/// Whether a tuple without a tag of its own (`{a | b, T}`) is inside several that have.
fn inside_several(one: &[Type], of: &[Arc<[Type]>]) -> bool {
    let Some(first) = one.first() else { return false };
    let super::Atoms::Some(atoms) = &first.parts().atoms else { return false };
    if atoms.len() < 2 || !first.is_within(&Type::the_atoms(atoms.iter().copied())) {
        return false;
    }
    atoms.iter().all(|&atom| {
        of.iter().filter(|two| two.len() == one.len()).any(|two| {
            two[0].parts().atoms.contains(atom)
                && one.iter().zip(two.iter()).skip(1).all(|(x, y)| x.is_within(y))
        })
    })
}

/// Two tuples of one size, element by element.
fn joined_with(one: &Arc<[Type]>, two: &Arc<[Type]>) -> Arc<[Type]> {
    if Arc::ptr_eq(one, two) || one == two {
        return Arc::clone(one);
    }
    shared(one, two, one.iter().zip(two.iter()).map(|(a, b)| a.join(b)).collect())
}

/// What is of two tuples, if there is anything.
fn met_with(one: &Arc<[Type]>, two: &Arc<[Type]>) -> Option<Arc<[Type]>> {
    if Arc::ptr_eq(one, two) {
        return Some(Arc::clone(one));
    }
    if one.len() != two.len() {
        return None;
    }
    let mut met = Elements::with_capacity(one.len());
    for (x, y) in one.iter().zip(two.iter()) {
        let both = x.meet(y);
        if both.is_none() {
            return None;
        }
        met.push(both);
    }
    Some(shared(one, two, met))
}

/// Elements of a tuple that is being made.
type Elements = SmallVec<[Type; 8]>;

/// What was made of two tuples: one of the two, if it is the same.
fn shared(one: &Arc<[Type]>, two: &Arc<[Type]>, made: Elements) -> Arc<[Type]> {
    if made[..] == **one {
        Arc::clone(one)
    } else if made[..] == **two {
        Arc::clone(two)
    } else {
        made.into_iter().collect()
    }
}

impl Tuples {
    /// Sizes and tags, without what else is in the tuples.
    pub(super) fn coarse(&self) -> Tuples {
        self.map_places(|place, element| match (place, element.single_atom()) {
            (0, Some(_)) => element.clone(),
            _ => Type::Any,
        })
    }

    /// Sizes alone.
    pub(super) fn by_size(&self) -> Tuples {
        self.map_places(|_, _| Type::Any)
    }

    pub(super) fn map_elements(&self, change: &mut impl FnMut(&Type) -> Type) -> Tuples {
        self.map_places(|_, element| change(element))
    }

    fn map_places(&self, mut change: impl FnMut(usize, &Type) -> Type) -> Tuples {
        match self {
            Tuples::All => Tuples::All,
            Tuples::Some(tuples) => Tuples::gathered(
                tuples
                    .iter()
                    .map(|tuple| {
                        tuple.iter().enumerate().map(|(place, of)| change(place, of)).collect()
                    })
                    .collect(),
            ),
        }
    }
}
