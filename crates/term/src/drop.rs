//! Dropping terms without recursion.
//!
//! A container that is dropped takes its children out and, where a child is a container that only
//! it held, hands it to a list of pending terms of the thread. Whoever started (the outermost
//! drop) empties that list. So the depth of a term costs memory of the heap, never of the stack.
//! The chain of a list's tails, by far the most common case, is followed directly.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;

use crate::fun::Fun;
use crate::list::Cons;
use crate::map::{MapRepr, Tree};
use crate::tuple::Cells;
use crate::{Map, Term, Tuple};

thread_local! {
    static PENDING: RefCell<Vec<Term>> = const { RefCell::new(Vec::new()) };
    static EMPTYING: Cell<bool> = const { Cell::new(false) };
    static TREE_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether dropping this term would drop a container (and so its children).
fn is_last_holder(term: &Term) -> bool {
    match term {
        Term::Cons(cell) => Rc::strong_count(cell) == 1,
        Term::Tuple(Tuple(cells)) => Rc::strong_count(cells) == 1,
        Term::Map(Map(repr)) => Rc::strong_count(repr) == 1,
        Term::Fun(fun) => Rc::strong_count(fun) == 1,
        _ => false,
    }
}

/// Takes a child out of a container that is being dropped.
fn discard(child: &mut Term) {
    if is_last_holder(child) {
        let child = mem::take(child);
        // If the thread is already tearing down its locals, plain recursion has to do.
        let _ = PENDING.try_with(|pending| pending.borrow_mut().push(child));
    }
}

fn empty_pending() {
    if EMPTYING.try_with(|emptying| emptying.replace(true)).unwrap_or(true) {
        return;
    }
    while let Ok(Some(term)) = PENDING.try_with(|pending| pending.borrow_mut().pop()) {
        drop(term);
    }
    let _ = EMPTYING.try_with(|emptying| emptying.set(false));
}

fn discard_all<'a>(children: impl Iterator<Item = &'a mut Term>) {
    let mut any = false;
    for child in children {
        if is_last_holder(child) {
            discard(child);
            any = true;
        }
    }
    if any {
        empty_pending();
    }
}

impl Drop for Cons {
    fn drop(&mut self) {
        if let Term::Cons(_) = self.tail {
            let mut tail = mem::take(&mut self.tail);
            while let Term::Cons(cell) = tail {
                match Rc::into_inner(cell) {
                    // Dropped here with a tail of `[]`: its own drop ends at once.
                    Some(mut cell) => tail = mem::take(&mut cell.tail),
                    None => break,
                }
            }
        } else if is_last_holder(&self.tail) {
            discard(&mut self.tail);
            empty_pending();
        }
        if is_last_holder(&self.head) {
            discard(&mut self.head);
            empty_pending();
        }
    }
}

impl Drop for Cells {
    fn drop(&mut self) {
        discard_all(self.0.iter_mut());
    }
}

impl Drop for MapRepr {
    fn drop(&mut self) {
        match self {
            MapRepr::Flat(entries) => {
                discard_all(entries.iter_mut().flat_map(|(key, value)| [key, value]));
            }
            MapRepr::Tree(tree) => drop_tree(mem::take(tree)),
        }
    }
}

/// The tree's nodes may be shared with other versions of the map, so its entries cannot be taken
/// out one by one. Dropping it drops those nobody else holds; what is nested in them goes to the
/// pending list, and trees directly inside trees do so below a certain depth.
fn drop_tree(tree: Tree) {
    const DEPTH_LIMIT: usize = 64;
    let depth = TREE_DEPTH.try_with(Cell::get).unwrap_or(0);
    if depth >= DEPTH_LIMIT {
        let whole = Term::Map(Map(Rc::new(MapRepr::Tree(tree))));
        let _ = PENDING.try_with(|pending| pending.borrow_mut().push(whole));
        return;
    }
    let _ = TREE_DEPTH.try_with(|cell| cell.set(depth + 1));
    let outermost = !EMPTYING.try_with(|emptying| emptying.replace(true)).unwrap_or(true);
    drop(tree);
    let _ = TREE_DEPTH.try_with(|cell| cell.set(depth));
    if outermost {
        let _ = EMPTYING.try_with(|emptying| emptying.set(false));
        empty_pending();
    }
}

impl Drop for Fun {
    fn drop(&mut self) {
        if let Fun::Local(closure) = self {
            discard_all(closure.env.iter_mut());
        }
    }
}
