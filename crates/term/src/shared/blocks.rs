//! Memory for small blocks: those given back are kept for the next of the same size.
//!
//! Programs make and drop cells all the time; a list of free ones, a word of the thread for each
//! size, is faster than the best general allocator. At most [`MOST`] blocks of a size are kept; the
//! others, and all of them when the thread ends, go back to the allocator.
//!
//! The argument for the unsafe code: every block of a list was allocated with the one layout that
//! the list is for ([`class`]), is at least a word large, and is used by nobody else while it is in
//! the list; so its first word may hold the link, it may be handed out for the same layout again,
//! and given back to the allocator with that layout.

#![allow(unsafe_code, reason = "lists of free memory; see the file's comment")]

use std::alloc::{Layout, handle_alloc_error};
use std::cell::Cell;
use std::ptr::{self, NonNull};

/// Blocks of up to this many words are kept.
const WORDS: usize = 8;
/// How many blocks of one size are kept.
const MOST: usize = 1024;

const WORD: usize = size_of::<usize>();

/// A free block: its first word leads to the next.
struct Free {
    next: *mut Free,
}

/// The free blocks of one size.
struct List {
    first: Cell<*mut Free>,
    len: Cell<usize>,
}

thread_local! {
    static LISTS: [List; WORDS + 1] = const {
        [const { List { first: Cell::new(ptr::null_mut()), len: Cell::new(0) } }; WORDS + 1]
    };
    /// Empties the lists when the thread ends.
    static AT_END: AtEnd = const { AtEnd };
}

struct AtEnd;

impl Drop for AtEnd {
    fn drop(&mut self) {
        let _ = LISTS.try_with(|lists| {
            for (words, list) in lists.iter().enumerate() {
                while let Some(block) = pop(list) {
                    if let Ok(layout) = Layout::from_size_align(words * WORD, WORD) {
                        // SAFETY: the blocks of this list were allocated with this layout.
                        unsafe { std::alloc::dealloc(block.as_ptr(), layout) };
                    }
                }
                list.len.set(MOST); // nothing is kept from now on
            }
        });
    }
}

/// The number of the list for a layout, if blocks of it are kept.
#[inline(always)]
fn class(layout: Layout) -> Option<usize> {
    let (size, align) = (layout.size(), layout.align());
    (align == WORD && size.is_multiple_of(WORD) && (WORD..=WORDS * WORD).contains(&size))
        .then_some(size / WORD)
}

#[inline(always)]
fn pop(list: &List) -> Option<NonNull<u8>> {
    let block = NonNull::new(list.first.get())?;
    // SAFETY: blocks of a list hold a link, and nobody else uses them.
    list.first.set(unsafe { block.as_ref().next });
    list.len.set(list.len.get() - 1);
    Some(block.cast())
}

/// Memory for a block of this layout, whose size is not zero.
#[inline(always)]
pub(super) fn allocate(layout: Layout) -> NonNull<u8> {
    if let Some(class) = class(layout)
        && let Ok(Some(block)) = LISTS.try_with(|lists| pop(&lists[class]))
    {
        return block;
    }
    allocate_new(layout)
}

#[inline(never)]
fn allocate_new(layout: Layout) -> NonNull<u8> {
    debug_assert!(layout.size() > 0);
    // So that the lists are emptied some day.
    let _ = AT_END.try_with(|_| {});
    // SAFETY: every block holds at least its count, so its size is not zero.
    let memory = unsafe { std::alloc::alloc(layout) };
    match NonNull::new(memory) {
        Some(memory) => memory,
        None => handle_alloc_error(layout),
    }
}

/// Gives a block back.
///
/// # Safety
/// `block` must come from [`allocate`] with the same layout, and nobody may use it again.
#[inline(always)]
pub(super) unsafe fn free(block: NonNull<u8>, layout: Layout) {
    if let Some(class) = class(layout) {
        let kept = LISTS.try_with(|lists| {
            let list = &lists[class];
            if list.len.get() >= MOST {
                return false;
            }
            // SAFETY: the block is at least a word large and aligned to one, and is nobody's.
            unsafe { block.cast::<Free>().write(Free { next: list.first.get() }) };
            list.first.set(block.cast().as_ptr());
            list.len.set(list.len.get() + 1);
            true
        });
        if kept == Ok(true) {
            return;
        }
    }
    // SAFETY: by the caller's promise.
    unsafe { std::alloc::dealloc(block.as_ptr(), layout) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_used_again_and_given_back() {
        let layout = Layout::new::<[usize; 3]>();
        let mut blocks: Vec<NonNull<u8>> = (0..3 * MOST).map(|_| allocate(layout)).collect();
        blocks.sort();
        blocks.dedup();
        assert_eq!(blocks.len(), 3 * MOST, "every block is handed out once");
        for &block in &blocks {
            // SAFETY: allocated above, and not used afterwards.
            unsafe { free(block, layout) };
        }
        assert_eq!(LISTS.with(|lists| lists[3].len.get()), MOST);
        let again = allocate(layout);
        assert!(blocks.contains(&again));
        // SAFETY: as above.
        unsafe { free(again, layout) };
    }

    #[test]
    fn other_layouts_are_not_mixed_up() {
        for layout in [Layout::new::<u8>(), Layout::new::<[u128; 2]>(), Layout::new::<[usize; 9]>()]
        {
            assert_eq!(class(layout), None);
            let block = allocate(layout);
            assert!(block.as_ptr().addr().is_multiple_of(layout.align()));
            // SAFETY: allocated above, and not used afterwards.
            unsafe { free(block, layout) };
        }
    }
}
