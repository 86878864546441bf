//! Counted pointers whose block begins with the count.
//!
//! [`Shared<T>`] is what `Rc<T>` is, without weak pointers. [`SharedSlice<T>`] is a counted block
//! of values whose pointer is one word: the length is in the block. Both blocks begin with the
//! count, whatever their type, so [`crate::word`] can add a holder to any term without knowing what
//! it is.
//!
//! Counting is plain addition: terms belong to one thread. A count cannot overflow: it would take
//! 2^64 additions.
//!
//! The argument for the unsafe code, once: a `Shared` points to a block made by `Shared::new` (or
//! came back through `from_raw`, which says so), which is freed by the holder that brings the count
//! to zero, and every `Shared` owns one count. So while a `Shared` exists its block does, and the
//! value in it is initialised.

#![allow(unsafe_code, reason = "a counted pointer; see the file's comment")]

mod blocks;
mod slice;

use std::alloc::Layout;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::Deref;
use std::ptr::NonNull;

use blocks::allocate;
pub use slice::SharedSlice;

/// The number of holders: the first word of every block.
#[repr(transparent)]
pub(crate) struct Count(Cell<usize>);

impl Count {
    #[inline]
    fn one() -> Count {
        Count(Cell::new(1))
    }

    #[inline]
    pub(crate) fn add(&self) {
        self.0.set(self.0.get().wrapping_add(1));
    }

    /// One holder less; says whether it was the last.
    #[inline]
    #[must_use]
    pub(crate) fn sub(&self) -> bool {
        let left = self.0.get().wrapping_sub(1);
        self.0.set(left);
        left == 0
    }

    #[inline]
    fn is_one(&self) -> bool {
        self.0.get() == 1
    }
}

/// Aligned so that the low three bits of an address are free for tags.
#[repr(C, align(8))]
struct Block<T> {
    count: Count,
    value: T,
}

/// A counted pointer.
#[repr(transparent)]
pub struct Shared<T> {
    block: NonNull<Block<T>>,
    owns: PhantomData<Block<T>>,
}

impl<T> Shared<T> {
    #[inline]
    pub fn new(value: T) -> Shared<T> {
        let block = allocate(Layout::new::<Block<T>>()).cast::<Block<T>>();
        // SAFETY: the memory was just allocated for a `Block<T>`.
        unsafe { block.write(Block { count: Count::one(), value }) };
        Shared { block, owns: PhantomData }
    }

    #[inline]
    fn block(&self) -> &Block<T> {
        // SAFETY: see the file's comment.
        unsafe { self.block.as_ref() }
    }

    /// Whether nobody else holds the value.
    #[inline]
    pub fn is_unique(this: &Shared<T>) -> bool {
        this.block().count.is_one()
    }

    pub fn ptr_eq(a: &Shared<T>, b: &Shared<T>) -> bool {
        a.block == b.block
    }

    /// The value, to be changed, if nobody else holds it.
    #[inline]
    pub fn get_mut(this: &mut Shared<T>) -> Option<&mut T> {
        if !Shared::is_unique(this) {
            return None;
        }
        // SAFETY: this is the only pointer to the block, and it is borrowed mutably.
        Some(unsafe { &mut this.block.as_mut().value })
    }

    /// The value, if nobody else holds it.
    #[inline]
    pub fn try_unwrap(this: Shared<T>) -> Result<T, Shared<T>> {
        if !Shared::is_unique(&this) {
            return Err(this);
        }
        let block = this.block;
        mem::forget(this);
        // SAFETY: this was the only pointer to the block; it was forgotten, so that the value,
        // moved out, is not dropped a second time.
        unsafe {
            let value = std::ptr::read(&raw const (*block.as_ptr()).value);
            blocks::free(block.cast(), Layout::new::<Block<T>>());
            Ok(value)
        }
    }

    /// The address of the block. Whoever holds it owns the count, to be given back to `from_raw`.
    #[inline]
    pub(crate) fn into_raw(this: Shared<T>) -> NonNull<u8> {
        let block = this.block.cast();
        mem::forget(this);
        block
    }

    /// # Safety
    /// `block` must come from `Shared::<T>::into_raw`, and its count must not be used again.
    #[inline]
    pub(crate) unsafe fn from_raw(block: NonNull<u8>) -> Shared<T> {
        Shared { block: block.cast(), owns: PhantomData }
    }

    /// Drops the value and frees the block of a pointer whose count has reached zero.
    ///
    /// # Safety
    /// `block` must come from `Shared::<T>::into_raw`, and nobody may use it again.
    #[inline]
    pub(crate) unsafe fn free(block: NonNull<u8>) {
        let block = block.cast::<Block<T>>();
        // SAFETY: by the caller's promise the block is initialised and this is its last use.
        unsafe {
            std::ptr::drop_in_place(&raw mut (*block.as_ptr()).value);
            blocks::free(block.cast(), Layout::new::<Block<T>>());
        }
    }

    /// As [`Shared::free`], but hands the value out.
    ///
    /// # Safety
    /// As for [`Shared::free`].
    #[inline]
    pub(crate) unsafe fn take_and_free(block: NonNull<u8>) -> T {
        let block = block.cast::<Block<T>>();
        // SAFETY: as in `free`; the value is moved out instead of being dropped.
        unsafe {
            let value = std::ptr::read(&raw const (*block.as_ptr()).value);
            blocks::free(block.cast(), Layout::new::<Block<T>>());
            value
        }
    }

    /// The value in a block.
    ///
    /// # Safety
    /// `block` must come from `Shared::<T>::into_raw` and be alive for `'a`.
    #[inline]
    pub(crate) unsafe fn value_at<'a>(block: NonNull<u8>) -> &'a T {
        // SAFETY: by the caller's promise.
        unsafe { &block.cast::<Block<T>>().as_ref().value }
    }
}

impl<T: Clone> Shared<T> {
    /// The value, to be changed: a copy of its own if others hold it, too.
    #[inline]
    pub fn make_mut(this: &mut Shared<T>) -> &mut T {
        if !Shared::is_unique(this) {
            *this = Shared::new(T::clone(this));
        }
        // SAFETY: this is the only pointer to the block (a new one if it was not), and it is
        // borrowed mutably.
        unsafe { &mut this.block.as_mut().value }
    }

    /// The value: moved if nobody else holds it, else copied.
    pub fn unwrap_or_clone(this: Shared<T>) -> T {
        Shared::try_unwrap(this).unwrap_or_else(|this| T::clone(&this))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.block().value
    }
}

impl<T> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Shared<T> {
        self.block().count.add();
        Shared { block: self.block, owns: PhantomData }
    }
}

impl<T> Drop for Shared<T> {
    #[inline]
    fn drop(&mut self) {
        if self.block().count.sub() {
            // SAFETY: the last holder is gone, and `self.block` is what `into_raw` would give.
            unsafe { Shared::<T>::free(self.block.cast()) };
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared::new(T::default())
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn the_last_holder_drops_the_value() {
        let witness = Rc::new(());
        let a = Shared::new((1, Rc::clone(&witness)));
        let b = a.clone();
        assert!(Shared::ptr_eq(&a, &b) && !Shared::is_unique(&a));
        drop(a);
        assert_eq!(Rc::strong_count(&witness), 2);
        assert_eq!(b.0, 1);
        drop(b);
        assert_eq!(Rc::strong_count(&witness), 1);
    }

    #[test]
    fn changes_are_not_seen_by_others() {
        let mut a = Shared::new(vec![1]);
        let b = a.clone();
        assert!(Shared::get_mut(&mut a).is_none());
        Shared::make_mut(&mut a).push(2);
        assert_eq!((&*a, &*b), (&vec![1, 2], &vec![1]));
        assert!(Shared::get_mut(&mut a).is_some());
        let address = a.as_ptr();
        Shared::make_mut(&mut a).pop();
        assert_eq!(a.as_ptr(), address, "changed in place");
    }

    #[test]
    fn the_only_holder_can_take_the_value() {
        let witness = Rc::new(());
        let a = Shared::new(Rc::clone(&witness));
        let b = a.clone();
        let a = Shared::try_unwrap(a).expect_err("two hold it");
        drop(b);
        let inner = Shared::try_unwrap(a).expect("one holds it");
        assert_eq!(Rc::strong_count(&witness), 2);
        drop(inner);
        assert_eq!(Rc::strong_count(&witness), 1);
    }
}
