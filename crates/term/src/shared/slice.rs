//! A counted block of values, pointed to by one word.
//!
//! The argument for the unsafe code is that of [`super`]; in addition, `len` elements behind the
//! header are initialised from the moment the pointer exists, and the block was allocated for just
//! that many (a block is built before there is a pointer to it; should building panic, its memory
//! is leaked, never freed wrongly).

#![allow(unsafe_code, reason = "a counted pointer; see the file's comment")]

use std::alloc::Layout;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::Deref;
use std::ptr::NonNull;

use smallvec::SmallVec;

use super::{Count, allocate, blocks};

#[repr(C, align(8))]
struct Header<T> {
    count: Count,
    len: usize,
    /// Where the elements begin.
    elements: [T; 0],
}

/// A counted slice.
#[repr(transparent)]
pub struct SharedSlice<T> {
    header: NonNull<Header<T>>,
    owns: PhantomData<T>,
}

fn too_large() -> ! {
    panic!("a block of more bytes than there are addresses")
}

/// The layout of a block of `len` elements.
#[inline]
fn layout<T>(len: usize) -> Layout {
    let elements = match Layout::array::<T>(len) {
        Ok(elements) => elements,
        Err(_) => too_large(),
    };
    match Layout::new::<Header<T>>().extend(elements) {
        Ok((whole, offset)) => {
            debug_assert_eq!(offset, mem::offset_of!(Header<T>, elements));
            whole.pad_to_align()
        }
        Err(_) => too_large(),
    }
}

/// A block whose elements are still to be written.
struct Raw<T> {
    header: NonNull<Header<T>>,
    len: usize,
}

impl<T> Raw<T> {
    #[inline]
    fn new(len: usize) -> Raw<T> {
        let header = allocate(layout::<T>(len)).cast::<Header<T>>();
        // SAFETY: the memory was just allocated for a header and `len` elements.
        unsafe {
            header.write(Header { count: Count::one(), len, elements: [] });
        }
        Raw { header, len }
    }

    #[inline]
    fn elements(&self) -> *mut T {
        // SAFETY: only an address inside the block is made.
        unsafe { (&raw mut (*self.header.as_ptr()).elements).cast() }
    }

    #[inline]
    fn write(&self, index: usize, value: T) {
        assert!(index < self.len);
        // SAFETY: the place is inside the block, which has room for `len` elements.
        unsafe { self.elements().add(index).write(value) }
    }

    /// # Safety
    /// All elements must have been written.
    #[inline]
    unsafe fn finish(self) -> SharedSlice<T> {
        SharedSlice { header: self.header, owns: PhantomData }
    }
}

impl<T> SharedSlice<T> {
    #[inline]
    fn header(&self) -> &Header<T> {
        // SAFETY: see the comment of `shared`.
        unsafe { self.header.as_ref() }
    }

    #[inline]
    pub fn is_unique(this: &SharedSlice<T>) -> bool {
        this.header().count.is_one()
    }

    /// The elements, to be changed, if nobody else holds them.
    #[inline]
    pub fn get_mut(this: &mut SharedSlice<T>) -> Option<&mut [T]> {
        SharedSlice::is_unique(this).then(|| {
            let elements = elements_of(this.header);
            // SAFETY: this is the only pointer to the block, borrowed mutably; `len` elements are
            // initialised.
            unsafe { std::slice::from_raw_parts_mut(elements, this.header().len) }
        })
    }

    /// Takes the values out of a slice, leaving default values.
    #[inline]
    pub fn take_from(values: &mut [T]) -> SharedSlice<T>
    where
        T: Default,
    {
        let raw = Raw::new(values.len());
        for (index, value) in values.iter_mut().enumerate() {
            raw.write(index, mem::take(value));
        }
        // SAFETY: one element was written for each value.
        unsafe { raw.finish() }
    }

    #[inline]
    pub(crate) fn into_raw(this: SharedSlice<T>) -> NonNull<u8> {
        let header = this.header.cast();
        mem::forget(this);
        header
    }

    /// # Safety
    /// `block` must come from `SharedSlice::<T>::into_raw`, and its count must not be used again.
    #[inline]
    pub(crate) unsafe fn from_raw(block: NonNull<u8>) -> SharedSlice<T> {
        SharedSlice { header: block.cast(), owns: PhantomData }
    }

    /// Drops the elements and frees the block of a pointer whose count has reached zero.
    ///
    /// # Safety
    /// `block` must come from `SharedSlice::<T>::into_raw`, and nobody may use it again.
    #[inline]
    pub(crate) unsafe fn free(block: NonNull<u8>) {
        let header = block.cast::<Header<T>>();
        // SAFETY: by the caller's promise the block is initialised and this is its last use; it
        // was allocated with this layout.
        unsafe {
            let len = header.as_ref().len;
            std::ptr::slice_from_raw_parts_mut(elements_of(header), len).drop_in_place();
            blocks::free(header.cast(), layout::<T>(len));
        }
    }

    /// The elements of a block.
    ///
    /// # Safety
    /// `block` must come from `SharedSlice::<T>::into_raw` and be alive for `'a`.
    #[inline]
    pub(crate) unsafe fn slice_at<'a>(block: NonNull<u8>) -> &'a [T] {
        let header = block.cast::<Header<T>>();
        // SAFETY: by the caller's promise.
        unsafe { std::slice::from_raw_parts(elements_of(header), header.as_ref().len) }
    }
}

/// Where the elements of a block begin.
#[inline]
fn elements_of<T>(header: NonNull<Header<T>>) -> *mut T {
    // SAFETY: only an address inside the block is made.
    unsafe { (&raw mut (*header.as_ptr()).elements).cast() }
}

impl<T: Clone> SharedSlice<T> {
    /// The elements, to be changed: copies of its own if others hold them, too.
    #[inline]
    pub fn make_mut(this: &mut SharedSlice<T>) -> &mut [T] {
        if !SharedSlice::is_unique(this) {
            *this = this.iter().cloned().collect();
        }
        let (elements, len) = (elements_of(this.header), this.header().len);
        // SAFETY: this is the only pointer to the block (a new one if it was not), borrowed
        // mutably; `len` elements are initialised.
        unsafe { std::slice::from_raw_parts_mut(elements, len) }
    }
}

impl<T> FromIterator<T> for SharedSlice<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> SharedSlice<T> {
        let mut values = values.into_iter();
        match values.size_hint() {
            (len, Some(most)) if len == most => {
                let raw = Raw::new(len);
                for index in 0..len {
                    match values.next() {
                        Some(value) => raw.write(index, value),
                        None => panic!("an iterator ended earlier than it said"),
                    }
                }
                // SAFETY: `len` elements were written.
                unsafe { raw.finish() }
            }
            _ => {
                let values: SmallVec<[T; 8]> = values.collect();
                let raw = Raw::new(values.len());
                for (index, value) in values.into_iter().enumerate() {
                    raw.write(index, value);
                }
                // SAFETY: one element was written for each value.
                unsafe { raw.finish() }
            }
        }
    }
}

impl<T> Deref for SharedSlice<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `self` owns a count, so the block is alive as long as `self` is borrowed.
        unsafe { SharedSlice::slice_at(self.header.cast()) }
    }
}

impl<T> Clone for SharedSlice<T> {
    #[inline]
    fn clone(&self) -> SharedSlice<T> {
        self.header().count.add();
        SharedSlice { header: self.header, owns: PhantomData }
    }
}

impl<T> Drop for SharedSlice<T> {
    #[inline]
    fn drop(&mut self) {
        if self.header().count.sub() {
            // SAFETY: the last holder is gone, and the pointer is what `into_raw` would give.
            unsafe { SharedSlice::<T>::free(self.header.cast()) };
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        <[T]>::fmt(self, f)
    }
}

impl<T> Default for SharedSlice<T> {
    fn default() -> SharedSlice<T> {
        std::iter::empty().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn elements_are_dropped_once() {
        let witness = Rc::new(());
        for len in [0usize, 1, 2, 7, 100] {
            let slice: SharedSlice<Rc<()>> = (0..len).map(|_| Rc::clone(&witness)).collect();
            let other = slice.clone();
            assert_eq!((slice.len(), Rc::strong_count(&witness)), (len, len + 1));
            drop(slice);
            assert_eq!(Rc::strong_count(&witness), len + 1);
            drop(other);
            assert_eq!(Rc::strong_count(&witness), 1);
        }
    }

    #[test]
    fn iterators_of_unknown_length() {
        let slice: SharedSlice<u32> = (0..20).filter(|n| n % 3 == 0).collect();
        assert_eq!(&*slice, [0, 3, 6, 9, 12, 15, 18]);
    }

    #[test]
    fn changes_are_not_seen_by_others() {
        let mut a: SharedSlice<String> = ["a".to_string(), "b".to_string()].into_iter().collect();
        let b = a.clone();
        assert!(SharedSlice::get_mut(&mut a).is_none());
        SharedSlice::make_mut(&mut a)[1].push('!');
        assert_eq!((&*a, &*b), (&["a".into(), "b!".into()][..], &["a".into(), "b".into()][..]));
    }

    #[test]
    fn values_are_taken() {
        let mut values = vec!["a".to_string(), "b".to_string()];
        let slice = SharedSlice::take_from(&mut values);
        assert_eq!((&*slice, values), (&["a".into(), "b".into()][..], vec![String::new(); 2]));
    }
}
