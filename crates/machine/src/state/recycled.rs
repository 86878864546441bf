//! Processes that nobody needs any more, kept for the memory that they have.
//!
//! A Machine that goes back to earlier states again and again copies a process before it changes
//! it, and drops what it had made of it when it goes back. A process is half a dozen pieces of
//! memory; asking for them and giving them back took longer than copying what is in them. So what
//! is dropped is kept, without what was in it, and the next copy is made there.
//!
//! Cost: a process that is kept holds no term; there are [`MOST`] for each thread at most, none of
//! which has a large stack or mailbox.

use std::cell::RefCell;
use std::rc::Rc;

use crate::process::Process;

/// How many are kept.
const MOST: usize = 64;

/// Those with more room for terms are not.
const LARGE: usize = 1_024;

thread_local! {
    static KEPT: RefCell<Vec<Rc<Process>>> = const { RefCell::new(Vec::new()) };
}

/// A process to be changed: it is copied if others know it.
#[inline]
pub(crate) fn to_change(process: &mut Rc<Process>) -> &mut Process {
    if Rc::strong_count(process) > 1
        && let Some(copy) = copy_of(process)
    {
        *process = copy;
    }
    Rc::make_mut(process)
}

/// A copy where something is kept for it.
fn copy_of(process: &Process) -> Option<Rc<Process>> {
    let mut copy = KEPT.with_borrow_mut(Vec::pop)?;
    Rc::get_mut(&mut copy)?.become_like(process);
    Some(copy)
}

/// A process is not needed any more, here.
pub(crate) fn give_back(mut process: Rc<Process>) {
    let Some(own) = Rc::get_mut(&mut process).filter(|own| own.room() <= LARGE) else { return };
    own.clear();
    KEPT.with_borrow_mut(|kept| {
        if kept.len() < MOST {
            kept.push(process);
        }
    });
}
