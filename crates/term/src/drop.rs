//! Dropping terms without recursion.
//!
//! A container that is dropped takes its children out and, where a child is a container that only
//! it held, hands it to a list of pending terms of the thread. Whoever started (the outermost
//! drop) empties that list. So the depth of a term costs memory of the heap, never of the stack.
//! The chain of a list's tails, by far the most common case, is followed directly.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;

use crate::fun::Closure;
use crate::list::Cons;
use crate::map::{Repr, Tree};
use crate::{Map, Term, Tuple};

thread_local! {
    static PENDING: RefCell<Vec<Term>> = const { RefCell::new(Vec::new()) };
    static EMPTYING: Cell<bool> = const { Cell::new(false) };
    static TREE_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Takes a child out of a container that is being dropped.
fn discard(child: &mut Term) {
    if child.is_last_holder_of_children() {
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
        if child.is_last_holder_of_children() {
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
        if self.tail.as_cons().is_some() {
            let mut tail = mem::take(&mut self.tail);
            while let Ok(cell) = tail.into_cons() {
                match Rc::into_inner(cell) {
                    // Dropped here with a tail of `[]`: its own drop ends at once.
                    Some(mut cell) => tail = mem::take(&mut cell.tail),
                    None => break,
                }
            }
        } else if self.tail.is_last_holder_of_children() {
            discard(&mut self.tail);
            empty_pending();
        }
        if self.head.is_last_holder_of_children() {
            discard(&mut self.head);
            empty_pending();
        }
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        discard_all(self.0.iter_mut());
    }
}

impl Drop for Repr {
    fn drop(&mut self) {
        match self {
            Repr::Flat(entries) => {
                discard_all(entries.iter_mut().flat_map(|(key, value)| [key, value]));
            }
            Repr::Tree(tree) => drop_tree(mem::take(tree)),
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
        let whole = Term::map(Map(Repr::Tree(tree)));
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

impl Drop for Closure {
    fn drop(&mut self) {
        discard_all(self.env.iter_mut());
    }
}
