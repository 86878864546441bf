//! What meets and joins gave, remembered.
//!
//! A function is followed again and again with types that are mostly the same, so most meets and
//! joins were made before, of the same shared nodes. Each thread has a small table for each
//! operation; a new answer takes the place of an old one. Types that are made in one way are the
//! same node afterwards, so that what is made of *them* is found in the table, too.
//!
//! An operation that looks through names answers less when it is inside another that has looked
//! through some already. Only what is asked first is remembered, so answers do not depend on what
//! was asked before.

use std::cell::RefCell;
use std::sync::Arc;
use std::thread::LocalKey;

use atom::Atom;

use super::{Node, Type};

/// Answers that a table has room for: a power of two.
const ROOM: usize = 1 << 9;

/// The answers of one operation.
pub(super) struct Memo(RefCell<Vec<Option<Answer>>>);

/// Both nodes are held, so that no other can take the place of one of them.
struct Answer {
    of: (Arc<Node>, Arc<Node>),
    is: Type,
}

impl Memo {
    pub(super) const fn new() -> Memo {
        Memo(RefCell::new(Vec::new()))
    }

    fn find(&self, place: usize, a: &Arc<Node>, b: &Arc<Node>) -> Option<Type> {
        let answers = self.0.borrow();
        let answer = answers.get(place)?.as_ref()?;
        let same = Arc::ptr_eq(&answer.of.0, a) && Arc::ptr_eq(&answer.of.1, b);
        same.then(|| answer.is.clone())
    }

    fn keep(&self, place: usize, answer: Answer) {
        let mut answers = self.0.borrow_mut();
        if answers.is_empty() {
            answers.resize_with(ROOM, || None);
        }
        let before = answers[place].replace(answer);
        // What it held may be the last of a type, whose end is not for now.
        drop(answers);
        drop(before);
    }
}

/// What an operation gives for two nodes: what it gave, or what `make` gives now.
pub(super) fn remembered(
    memo: &'static LocalKey<Memo>,
    a: &Arc<Node>,
    b: &Arc<Node>,
    make: impl FnOnce() -> Type,
) -> Type {
    let place = place(a, b);
    if let Some(found) = memo.with(|memo| memo.find(place, a, b)) {
        return found;
    }
    let is = make();
    let answer = Answer { of: (Arc::clone(a), Arc::clone(b)), is: is.clone() };
    memo.with(|memo| memo.keep(place, answer));
    is
}

/// Where the answer for two nodes is kept.
fn place(a: &Arc<Node>, b: &Arc<Node>) -> usize {
    const MIX: usize = 0x9E37_79B9_7F4A_7C15;
    let (a, b) = (Arc::as_ptr(a).addr() >> 4, Arc::as_ptr(b).addr() >> 4);
    let mixed = (a.wrapping_mul(MIX) ^ b).wrapping_mul(MIX);
    mixed >> (usize::BITS - ROOM.trailing_zeros())
}

thread_local! {
    /// Types of single atoms.
    static ATOMS: RefCell<Vec<Option<(Atom, Type)>>> = const { RefCell::new(Vec::new()) };
}

/// The type of an atom: what it was last time, or what `make` gives now.
pub(super) fn of_atom(atom: Atom, make: impl FnOnce() -> Type) -> Type {
    ATOMS.with_borrow_mut(|atoms| {
        if atoms.is_empty() {
            atoms.resize_with(ROOM, || None);
        }
        let entry = &mut atoms[atom.index() as usize % ROOM];
        match entry {
            Some((known, ty)) if *known == atom => ty.clone(),
            _ => entry.insert((atom, make())).1.clone(),
        }
    })
}
