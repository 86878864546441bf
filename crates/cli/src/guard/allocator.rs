//! The allocator of the command: `mimalloc`, and a count of what is allocated, with a limit.
//!
//! (Reading a module fills large tables and drops them with it; the system's allocator gives that
//! memory back each time, and getting it anew costs a tenth of the CPU time.)
//!
//! Each thread counts for itself and tells the sum about every [`BATCH`] bytes, so that threads do
//! not wait for each other; a large piece is told before it is there. A thread that would pass the
//! limit stops in the middle of its request, for good, as does one whose request the system
//! refuses: what it does cannot be undone from here, and nobody asks it again. The thread that
//! watches ([`super`]) then tells what there is to be told and ends the process. It, and whoever
//! else writes the end of a document, is [exempt].
//!
//! What C libraries and the stacks of threads take is not counted here; the resident memory of the
//! process, which is looked at, too, has it.

#![allow(unsafe_code, reason = "an allocator cannot be written without; all calls are handed on")]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use mimalloc::MiMalloc;

/// What a thread allocates or gives back before it tells.
const BATCH: i64 = 64 << 10;

static ALLOCATED: AtomicI64 = AtomicI64::new(0);
/// More is not given; `u64::MAX` where nobody watches.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whether somebody wanted more.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);
/// Whether the system did not give it.
static REFUSED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static UNTOLD: Cell<i64> = const { Cell::new(0) };
    static EXEMPT: Cell<bool> = const { Cell::new(false) };
}

/// Bytes that are allocated, but for what threads have not told yet.
pub(super) fn allocated() -> u64 {
    ALLOCATED.load(Ordering::Relaxed).try_into().unwrap_or(0)
}

/// From now on no more than this is given.
pub(super) fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Whether a thread has stopped because there was no memory for it.
pub(super) fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

/// Whether that was because the system gave no more.
pub(super) fn is_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// The limit does not hold for this thread.
pub(super) fn exempt() {
    EXEMPT.set(true);
}

fn is_exempt() -> bool {
    EXEMPT.try_with(Cell::get).unwrap_or(true) || LIMIT.load(Ordering::Relaxed) == u64::MAX
}

/// Nobody goes on from here.
#[cold]
fn stop() {
    EXHAUSTED.store(true, Ordering::Relaxed);
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Counts what is about to be allocated.
#[inline]
fn count(bytes: usize) {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX / 2);
    let untold = UNTOLD.try_with(Cell::get).unwrap_or(0).saturating_add(bytes);
    let _ = UNTOLD.try_with(|told| told.set(untold));
    if untold >= BATCH {
        tell(untold);
    }
}

#[cold]
fn tell(untold: i64) {
    let now = ALLOCATED.fetch_add(untold, Ordering::Relaxed).saturating_add(untold);
    let _ = UNTOLD.try_with(|told| told.set(0));
    if u64::try_from(now).unwrap_or(0) > LIMIT.load(Ordering::Relaxed) && !is_exempt() {
        ALLOCATED.fetch_sub(untold, Ordering::Relaxed);
        stop();
    }
}

/// Counts what is given back.
#[inline]
fn uncount(bytes: usize) {
    let untold = UNTOLD.try_with(Cell::get).unwrap_or(0) - i64::try_from(bytes).unwrap_or(0);
    let is_much = untold <= -BATCH;
    if is_much {
        ALLOCATED.fetch_add(untold, Ordering::Relaxed);
    }
    let _ = UNTOLD.try_with(|told| told.set(if is_much { 0 } else { untold }));
}

/// What the system gave; where that is nothing the thread stops, if somebody watches.
#[inline]
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && !is_exempt() {
        REFUSED.store(true, Ordering::Relaxed);
        stop();
    }
    pointer
}

pub(crate) struct Counted;

// SAFETY: every request is handed on as it is to an allocator that keeps the contract, and its
// answer back.
unsafe impl GlobalAlloc for Counted {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise about the layout.
        given(unsafe { MiMalloc.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise about the layout.
        given(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        uncount(layout.size());
        // SAFETY: the caller's promise that it got the pointer here, with this layout.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match size.checked_sub(layout.size()) {
            Some(more) => count(more),
            None => uncount(layout.size() - size),
        }
        // SAFETY: the caller's promise that it got the pointer here, with this layout, and about
        // the size.
        given(unsafe { MiMalloc.realloc(pointer, layout, size) })
    }
}
