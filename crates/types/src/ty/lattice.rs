//! Join, meet and order of types, part by part.
//!
//! Recursive types are names, whose bodies hold themselves. Two names are compared under the
//! assumption that they are as asked (coinduction). Joins keep names as they are; meets open them,
//! a few inside each other, and then give the larger answer.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::memo::{Memo, remembered};
use super::{
    Atoms, Bits, Cons, FunType, Integers, MapType, Named, Node, Type, Union, limits, named,
};

thread_local! {
    /// How deep the current operation has looked through names.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// How many names it has opened.
    static OPENED: Cell<u32> = const { Cell::new(0) };
    /// The pairs of names of which it is being asked whether one is inside the other.
    static ASKED: RefCell<Vec<(Arc<Named>, Type)>> = const { RefCell::new(Vec::new()) };
    static MET: Memo = const { Memo::new() };
    static JOINED: Memo = const { Memo::new() };
}

/// How many names one operation opens inside each other.
const MOST_NAMES: u32 = 8;
/// How many it opens in all: of names with many parts that hold each other there are as many ways
/// into the depth as there are parts, on every level.
const MOST_OPENED: u32 = 1_000;

/// Runs an operation one level further down, or gives up.
fn deeper<T>(operation: impl FnOnce() -> T, too_deep: impl FnOnce() -> T) -> T {
    let depth = DEPTH.get();
    if depth == 0 {
        OPENED.set(0);
    }
    if depth >= MOST_NAMES || OPENED.get() >= MOST_OPENED {
        return too_deep();
    }
    OPENED.set(OPENED.get() + 1);
    DEPTH.set(depth + 1);
    let result = operation();
    DEPTH.set(depth);
    result
}

impl Type {
    /// The terms of one or of the other.
    pub fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::None, same) | (same, Type::None) => same.clone(),
            (Type::Any, _) | (_, Type::Any) => Type::Any,
            (Type::Union(a), Type::Union(b)) => {
                if Arc::ptr_eq(a, b) {
                    return self.clone();
                }
                // Joins do not look through names.
                remembered(&JOINED, a, b, || match plainly(a, b) {
                    Plainly::Inside => other.clone(),
                    Plainly::Around => self.clone(),
                    Plainly::Neither => shared(a, b, a.join(b)),
                })
            }
            (a, b) if a == b => a.clone(),
            (a, b) => named::union(a, b),
        }
    }

    /// The terms of both.
    pub fn meet(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::None, _) | (_, Type::None) => Type::None,
            (Type::Any, same) | (same, Type::Any) => same.clone(),
            (Type::Union(a), Type::Union(b)) => {
                if Arc::ptr_eq(a, b) {
                    return self.clone();
                }
                if a.kinds() & b.kinds() == 0 {
                    return Type::None;
                }
                let meet = || match plainly(a, b) {
                    Plainly::Inside => self.clone(),
                    Plainly::Around => other.clone(),
                    Plainly::Neither => shared(a, b, a.meet(b)),
                };
                if DEPTH.get() == 0 { remembered(&MET, a, b, meet) } else { meet() }
            }
            (a, b) if a == b => a.clone(),
            (Type::Var(_), same) | (same, Type::Var(_)) => same.clone(),
            (a, b) => {
                if a.is_within(b) {
                    return a.clone();
                }
                if b.is_within(a) {
                    return b.clone();
                }
                deeper(|| a.parts().meet(b.parts()).into_type(), || self.clone())
            }
        }
    }

    /// Whether every term of it is one of the other's. May say no where it is so.
    pub fn is_within(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::None, _) | (_, Type::Any) => true,
            (Type::Any, Type::None) => false,
            (Type::Union(a), Type::Union(b)) => {
                Arc::ptr_eq(a, b) || a.kinds() & !b.kinds() == 0 && a.is_within(b)
            }
            (a, b) if a == b => true,
            (Type::Named(name), _) => {
                let pair = (Arc::clone(name), other.clone());
                if ASKED.with_borrow(|asked| asked.contains(&pair)) {
                    return true;
                }
                ASKED.with_borrow_mut(|asked| asked.push(pair));
                let within = deeper(|| name.body().parts().is_within(other.parts()), || false);
                ASKED.with_borrow_mut(|asked| {
                    asked.pop();
                });
                within
            }
            (a, b) => deeper(|| a.parts().is_within(b.parts()), || false),
        }
    }

    /// Whether the two have no term in common.
    pub fn is_disjoint(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::None, _) | (_, Type::None) => true,
            (Type::Any | Type::Var(_), _) | (_, Type::Any | Type::Var(_)) => false,
            (Type::Union(a), Type::Union(b)) => {
                !Arc::ptr_eq(a, b) && (a.kinds() & b.kinds() == 0 || a.is_disjoint(b))
            }
            (a, b) if a == b => false,
            // A name that stands for nothing is not said to be nothing, as in a meet.
            (a, b) => {
                deeper(|| a.parts().is_disjoint(b.parts()), || false)
                    && !a.is_within(b)
                    && !b.is_within(a)
            }
        }
    }

    /// The type within the limits of depth and size. Names stay.
    pub fn limited(&self) -> Type {
        self.limited_to(limits::DEPTH)
    }

    /// The same with less depth, for what does not come to rest.
    pub fn limited_to(&self, depth: u32) -> Type {
        if self.height() <= depth && self.size() <= limits::SIZE {
            return self.clone();
        }
        let mut depth = depth;
        let mut limited = self.cut_at(depth);
        while depth > 1 && limited.size() > limits::SIZE {
            depth -= 1;
            limited = self.cut_at(depth);
        }
        limited
    }

    /// Whether it may be the type of a value while a function is looked at.
    pub(crate) fn is_workable(&self) -> bool {
        self.height() <= limits::WORKING_DEPTH && self.size() <= limits::WORKING_SIZE
    }

    /// The type with what is deeper than `depth` widened to `any()`.
    fn cut_at(&self, depth: u32) -> Type {
        if self.height() <= depth {
            return self.clone();
        }
        match self {
            Type::Union(union) => {
                if !union.has_structure() {
                    return self.clone();
                }
                if depth == 0 {
                    return union.without_structure().into_type();
                }
                let parts = union.map_inner(|inner| inner.cut_at(depth - 1));
                if parts == ***union { self.clone() } else { parts.into_type() }
            }
            Type::Named(named) if !named.inner().is_empty() => {
                if depth == 0 {
                    return Type::Any;
                }
                named.map(|inner| inner.cut_at(depth - 1))
            }
            other => other.clone(),
        }
    }

    /// What it has become since `before`, with bounds that grew let go of, and down to a depth.
    pub fn widened_since(&self, before: &Type, depth: u32) -> Type {
        match (before, self) {
            (Type::Union(was), Type::Union(is)) if was.integers != is.integers => {
                let mut parts = Union::clone(is);
                parts.integers = is.integers.widened_since(&was.integers);
                parts.into_type()
            }
            _ => self.clone(),
        }
        .limited_to(depth)
    }
}

impl Type {
    /// What has grown out of `was`, with every kind of terms that has grown taken as a whole
    /// (tuples of each size by themselves): so that what grows often grows no more.
    pub fn coarser_than(&self, was: &Type) -> Type {
        if self.is_within(was) {
            return was.clone();
        }
        if self.is_any() || was.is_any() {
            return Type::Any;
        }
        self.parts().coarser_than(was.parts()).into_type()
    }
}

/// A part that has not grown, or the whole of its kind.
fn unless_grown<T: Clone>(
    now: &Option<T>,
    was: &Option<T>,
    within: impl Fn(&T, &T) -> bool,
    whole: T,
) -> Option<T> {
    if inside(now, was, within) { was.clone() } else { Some(whole) }
}

impl Union {
    fn coarser_than(&self, was: &Union) -> Union {
        let proper = |cons: &Option<Cons>| cons.as_ref().is_none_or(|c| c.tail == Type::nil());
        let tail = if proper(&self.cons) && proper(&was.cons) { Type::nil() } else { Type::Any };
        let (atoms, integers) = (&self.atoms, &self.integers);
        let any_fun = FunType { args: None, result: Type::Any };
        Union {
            atoms: if atoms.is_within(&was.atoms) { was.atoms.clone() } else { Atoms::All },
            integers: match integers.is_within(&was.integers) {
                true => was.integers.clone(),
                false => Integers::ALL,
            },
            floats: self.floats || was.floats,
            bits: unless_grown(&self.bits, &was.bits, |a, b| a.is_within(*b), Bits::ALL),
            pids: self.pids || was.pids,
            ports: self.ports || was.ports,
            references: self.references || was.references,
            nil: self.nil || was.nil,
            cons: unless_grown(
                &self.cons,
                &was.cons,
                |a, b| a.head.is_within(&b.head) && a.tail.is_within(&b.tail),
                Cons { head: Type::Any, tail },
            ),
            tuples: match self.tuples.is_within(&was.tuples) {
                true => was.tuples.clone(),
                false => self.tuples.join(&was.tuples).by_size(),
            },
            maps: unless_grown(&self.maps, &was.maps, |a, b| a.is_within(b), MapType::all()),
            funs: unless_grown(&self.funs, &was.funs, FunType::is_within, any_fun),
            records: self.records || was.records,
        }
    }
}

/// How a type lies to another, as far as that is seen without opening names.
enum Plainly {
    Inside,
    Around,
    Neither,
}

/// Whether one of two types is plainly inside the other. Most meets are of such types: asking costs
/// a look, where making a type to compare it with both costs allocations.
fn plainly(a: &Node, b: &Node) -> Plainly {
    // With no depth left no name is opened.
    let depth = DEPTH.replace(MOST_NAMES);
    let answer = if a.kinds() & !b.kinds() == 0 && a.is_within(b) {
        Plainly::Inside
    } else if b.kinds() & !a.kinds() == 0 && b.is_within(a) {
        Plainly::Around
    } else {
        Plainly::Neither
    };
    DEPTH.set(depth);
    answer
}

/// What was made of two nodes: one of the two, if it is the same.
fn shared(a: &Arc<Node>, b: &Arc<Node>, made: Union) -> Type {
    if made == ***a {
        Type::Union(Arc::clone(a))
    } else if made == ***b {
        Type::Union(Arc::clone(b))
    } else {
        made.into_type()
    }
}

/// Joins where both are there.
fn either<T: Clone>(a: &Option<T>, b: &Option<T>, join: impl Fn(&T, &T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

/// Whether a part is inside another, where both may be missing.
fn inside<T>(a: &Option<T>, b: &Option<T>, within: impl Fn(&T, &T) -> bool) -> bool {
    match (a, b) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(a), Some(b)) => within(a, b),
    }
}

impl Union {
    fn join(&self, other: &Union) -> Union {
        Union {
            atoms: self.atoms.join(&other.atoms),
            integers: self.integers.join(&other.integers),
            floats: self.floats || other.floats,
            bits: either(&self.bits, &other.bits, |a, b| a.join(*b)),
            pids: self.pids || other.pids,
            ports: self.ports || other.ports,
            references: self.references || other.references,
            nil: self.nil || other.nil,
            cons: either(&self.cons, &other.cons, |a, b| Cons {
                head: a.head.join(&b.head),
                tail: a.tail.join(&b.tail),
            }),
            tuples: self.tuples.join(&other.tuples),
            maps: either(&self.maps, &other.maps, |a, b| a.join(b)),
            funs: either(&self.funs, &other.funs, FunType::join),
            records: self.records || other.records,
        }
    }

    fn meet(&self, other: &Union) -> Union {
        let cons = self.cons.as_ref().zip(other.cons.as_ref()).and_then(|(a, b)| {
            let (head, tail) = (a.head.meet(&b.head), a.tail.meet(&b.tail));
            (!head.is_none() && !tail.is_none()).then_some(Cons { head, tail })
        });
        Union {
            atoms: self.atoms.meet(&other.atoms),
            integers: self.integers.meet(&other.integers),
            floats: self.floats && other.floats,
            bits: self.bits.zip(other.bits).and_then(|(a, b)| a.meet(b)),
            pids: self.pids && other.pids,
            ports: self.ports && other.ports,
            references: self.references && other.references,
            nil: self.nil && other.nil,
            cons,
            tuples: self.tuples.meet(&other.tuples),
            maps: self.maps.as_ref().zip(other.maps.as_ref()).and_then(|(a, b)| a.meet(b)),
            funs: self.funs.as_ref().zip(other.funs.as_ref()).and_then(|(a, b)| a.meet(b)),
            records: self.records && other.records,
        }
    }

    /// Whether the meet is none.
    fn is_disjoint(&self, other: &Union) -> bool {
        let flags = self.floats && other.floats
            || self.pids && other.pids
            || self.ports && other.ports
            || self.references && other.references
            || self.nil && other.nil
            || self.records && other.records;
        let together = || {
            (self.cons.as_ref().zip(other.cons.as_ref()))
                .is_some_and(|(a, b)| !a.head.is_disjoint(&b.head) && !a.tail.is_disjoint(&b.tail))
        };
        !flags
            && self.atoms.is_disjoint(&other.atoms)
            && self.integers.meet(&other.integers).is_none()
            && self.bits.zip(other.bits).is_none_or(|(a, b)| a.meet(b).is_none())
            && !together()
            && self.tuples.is_disjoint(&other.tuples)
            && self.maps.as_ref().zip(other.maps.as_ref()).is_none_or(|(a, b)| a.is_disjoint(b))
            && self.funs.as_ref().zip(other.funs.as_ref()).is_none_or(|(a, b)| a.is_disjoint(b))
    }

    fn is_within(&self, other: &Union) -> bool {
        let flags = [
            (self.floats, other.floats),
            (self.pids, other.pids),
            (self.ports, other.ports),
            (self.references, other.references),
            (self.nil, other.nil),
            (self.records, other.records),
        ];
        flags.iter().all(|&(a, b)| !a || b)
            && self.atoms.is_within(&other.atoms)
            && self.integers.is_within(&other.integers)
            && inside(&self.bits, &other.bits, |a, b| a.is_within(*b))
            && inside(&self.cons, &other.cons, |a, b| {
                a.head.is_within(&b.head) && a.tail.is_within(&b.tail)
            })
            && self.tuples.is_within(&other.tuples)
            && inside(&self.maps, &other.maps, |a, b| a.is_within(b))
            && inside(&self.funs, &other.funs, FunType::is_within)
    }

    /// What is left when nothing inside is said.
    fn without_structure(&self) -> Union {
        let mut parts = self.clone();
        if parts.cons.is_some() {
            let tail = if parts.cons.as_ref().is_some_and(|cons| cons.tail == Type::nil()) {
                Type::nil()
            } else {
                Type::Any
            };
            parts.cons = Some(Cons { head: Type::Any, tail });
        }
        if !parts.tuples.is_none() {
            parts.tuples = parts.tuples.coarse();
        }
        parts.maps = parts.maps.map(|_| MapType::all());
        parts.funs = parts.funs.map(|fun| FunType {
            args: fun.args.map(|args| args.iter().map(|_| Type::Any).collect()),
            result: Type::Any,
        });
        parts
    }

    /// The same with every type inside it changed; only to larger ones.
    pub(super) fn map_inner(&self, mut change: impl FnMut(&Type) -> Type) -> Union {
        let mut parts = self.clone();
        if let Some(cons) = &mut parts.cons {
            cons.head = change(&cons.head);
            cons.tail = change(&cons.tail);
        }
        parts.tuples = parts.tuples.map_elements(&mut change);
        if let Some(map) = parts.maps.take() {
            parts.maps = map.map_types(&mut change);
        }
        if let Some(fun) = &mut parts.funs {
            for arg in fun.args.iter_mut().flatten() {
                *arg = change(arg);
            }
            fun.result = change(&fun.result);
        }
        parts
    }
}

impl FunType {
    fn join(&self, other: &FunType) -> FunType {
        let args = match (&self.args, &other.args) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                Some(a.iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            _ => None,
        };
        FunType { args, result: self.result.join(&other.result) }
    }

    fn meet(&self, other: &FunType) -> Option<FunType> {
        let args = match (&self.args, &other.args) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                Some(a.iter().zip(b).map(|(a, b)| a.meet(b)).collect())
            }
            (Some(_), Some(_)) => return None,
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Some(FunType { args, result: self.result.meet(&other.result) })
    }

    /// Whether there is no fun that may be of both: they may never be called.
    fn is_disjoint(&self, other: &FunType) -> bool {
        matches!((&self.args, &other.args), (Some(a), Some(b)) if a.len() != b.len())
    }

    fn is_within(&self, other: &FunType) -> bool {
        let args = match (&self.args, &other.args) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_within(b))
            }
        };
        args && self.result.is_within(&other.result)
    }
}
