//! The representation of a term: one word.
//!
//! The low three bits of the word say what the rest is: a small integer, another immediate value
//! (atom, `[]`, pid, port, reference), or a counted pointer to one of six kinds of data. All moves
//! of terms are moves of one word; copying an immediate value touches nothing else, copying any
//! other adds one to the first word of its block, whatever it is ([`crate::shared`]).
//!
//! Why not a plain `enum` of values and `Rc`s? It was the first version, and measured: two words a
//! term, written as tag and payload and read back as one 16-byte block, which stalls on every
//! value just written. `bench_fib` took 2.3 times as long, lists twice the memory.
//!
//! Dropping needs no recursion over the depth of a term: the chain of a list's tails is followed in
//! a loop; other nesting recurses, but below [`DEPTH_LIMIT`] levels a term is put on a list of the
//! thread that the outermost drop empties.
//!
//! Besides [`crate::shared`] the only file of the crate with unsafe code. Its argument in one
//! sentence: a word whose tag names a pointer was made by `into_raw` for exactly the type that the
//! tag stands for (see [`pointer_types`]), and owns one count of it until it is dropped or taken
//! apart.

#![allow(unsafe_code, reason = "the one place where pointers are packed; see the file's comment")]

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::num::NonZero;
use std::ptr::NonNull;

use atom::Atom;

use crate::bits::Bits;
use crate::boxed::Boxed;
use crate::list::Cons;
use crate::map::Map;
use crate::shared::{Count, Shared, SharedSlice};
use crate::tuple::Tuple;
use crate::{Pid, Port, Ref};

/// An Erlang value.
///
/// `PartialEq` is deliberately absent: Erlang has two equalities, [`crate::order::exact_eq`]
/// (`=:=`) and [`crate::order::loose_eq`] (`==`).
#[repr(transparent)]
pub struct Term(NonNull<u8>);

const TAG_BITS: u32 = 3;
const TAG_MASK: usize = (1 << TAG_BITS) - 1;
const IMMEDIATE: usize = 0;
const INT: usize = 1;
const BOXED: usize = 2;
const BITS: usize = 3;
const CONS: usize = 4;
const TUPLE: usize = 5;
const FLOAT: usize = 6;
const MAP: usize = 7;

/// The bits of which pointers have at least one set, and immediate values none.
const POINTER_MASK: usize = TAG_MASK & !1;

/// Immediate values that are not integers have three more bits that say what they are. They are
/// never all zero, so no word is.
const SUBTAG_SHIFT: u32 = TAG_BITS;
const VALUE_SHIFT: u32 = TAG_BITS + 3;
const ATOM: usize = 1;
const NIL: usize = 2;
const PID: usize = 3;
const PORT: usize = 4;
const REF: usize = 5;

/// The integers that fit into a word: 61 bits.
pub const MAX_SMALL: i64 = i64::MAX >> TAG_BITS;
pub const MIN_SMALL: i64 = i64::MIN >> TAG_BITS;

// Immediate values keep 58 bits: numbers of processes and references count from zero.
const _: () = assert!(size_of::<usize>() == 8, "terms are made for 64-bit machines");

/// A counted pointer that a term can be.
///
/// # Safety
/// Each implementor has a tag of its own, whose block is aligned to 8 bytes and begins with its
/// [`Count`]; `into_raw` and `from_raw` are those of the pointer.
unsafe trait Pointer {
    const TAG: usize;
    fn into_raw(self) -> NonNull<u8>;
    /// # Safety
    /// `block` must come from `into_raw`, and its count must not be used again.
    unsafe fn from_raw(block: NonNull<u8>) -> Self;
}

/// Which type each pointer tag stands for.
mod pointer_types {
    use super::{BITS, BOXED, Bits, Boxed, CONS, Cons, FLOAT, MAP, Map, NonNull, Pointer, Shared};
    use super::{SharedSlice, TUPLE, Term, Tuple};

    macro_rules! pointers {
        ($($ty:ty => $tag:expr),*) => {$(
            // SAFETY: the tags are six different constants; `Shared` promises the rest.
            unsafe impl Pointer for Shared<$ty> {
                const TAG: usize = $tag;
                #[inline]
                fn into_raw(self) -> NonNull<u8> {
                    Shared::into_raw(self)
                }
                #[inline]
                unsafe fn from_raw(block: NonNull<u8>) -> Self {
                    // SAFETY: by the caller's promise.
                    unsafe { Shared::from_raw(block) }
                }
            }
        )*};
    }
    pointers!(Boxed => BOXED, Bits => BITS, Cons => CONS, f64 => FLOAT, Map => MAP);

    // SAFETY: as above.
    unsafe impl Pointer for Tuple {
        const TAG: usize = TUPLE;
        #[inline]
        fn into_raw(self) -> NonNull<u8> {
            SharedSlice::into_raw(self.0)
        }
        #[inline]
        unsafe fn from_raw(block: NonNull<u8>) -> Tuple {
            // SAFETY: by the caller's promise.
            Tuple(unsafe { SharedSlice::<Term>::from_raw(block) })
        }
    }
}

/// A term seen as what it is.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    Nil,
    Int(i64),
    Atom(Atom),
    Float(f64),
    Pid(Pid),
    Port(Port),
    Ref(Ref),
    Cons(&'a Cons),
    Tuple(&'a [Term]),
    Map(&'a Map),
    Bits(&'a Bits),
    Boxed(&'a Boxed),
}

/// An immediate word. `tag` is never zero there, so the word is not either.
const fn word(bits: usize) -> Term {
    match NonZero::new(bits) {
        Some(bits) => Term(NonNull::without_provenance(bits)),
        None => panic!("an immediate term is never zero"),
    }
}

const fn immediate(subtag: usize, value: u64) -> Term {
    word((value as usize) << VALUE_SHIFT | subtag << SUBTAG_SHIFT | IMMEDIATE)
}

#[inline]
fn pack<P: Pointer>(pointer: P) -> Term {
    Term(pointer.into_raw().map_addr(|address| address | P::TAG))
}

impl Term {
    pub const NIL: Term = immediate(NIL, 0);
    pub const TRUE: Term = Term::atom_const(atom::known::TRUE);
    pub const FALSE: Term = Term::atom_const(atom::known::FALSE);

    #[inline]
    fn word(&self) -> usize {
        self.0.addr().get()
    }

    #[inline]
    fn tag(&self) -> usize {
        self.word() & TAG_MASK
    }

    /// The block that the word points to. The word must be a pointer.
    #[inline]
    fn block(&self) -> NonNull<u8> {
        debug_assert!(!self.is_immediate());
        let untagged = self.0.as_ptr().map_addr(|address| address & !TAG_MASK);
        // SAFETY: blocks are aligned to 8 bytes and not null, so the tag was all in the low bits.
        unsafe { NonNull::new_unchecked(untagged) }
    }

    /// The count of the block that the word points to. The word must be a pointer.
    #[inline]
    fn count(&self) -> &Count {
        // SAFETY: every block begins with its count, and is alive while this word owns a part of
        // it.
        unsafe { self.block().cast::<Count>().as_ref() }
    }

    /// What the word points to. The tag must be that of `Shared<T>`.
    #[inline]
    fn target<T>(&self) -> &T
    where
        Shared<T>: Pointer,
    {
        debug_assert_eq!(self.tag(), <Shared<T> as Pointer>::TAG);
        // SAFETY: callers have looked at the tag; so the word came from `pack::<Shared<T>>` and
        // owns a count, which keeps the value alive as long as `self` is borrowed.
        unsafe { Shared::<T>::value_at(self.block()) }
    }

    /// The elements of the tuple that the word points to. The tag must be `TUPLE`.
    #[inline]
    fn tuple_elements(&self) -> &[Term] {
        debug_assert_eq!(self.tag(), TUPLE);
        // SAFETY: as in `target`.
        unsafe { SharedSlice::<Term>::slice_at(self.block()) }
    }

    /// Takes the counted pointer out of the word. The tag must be `P`'s.
    #[inline]
    fn unpack<P: Pointer>(self) -> P {
        let term = ManuallyDrop::new(self);
        debug_assert_eq!(term.tag(), P::TAG);
        // SAFETY: as in `target`; the count that the word owned now belongs to the pointer, because
        // the word is not dropped.
        unsafe { P::from_raw(term.block()) }
    }

    #[inline]
    pub const fn atom_const(atom: Atom) -> Term {
        immediate(ATOM, atom.index() as u64)
    }

    #[inline]
    pub fn small(value: i64) -> Option<Term> {
        ((MIN_SMALL..=MAX_SMALL).contains(&value)).then(|| word((value as usize) << TAG_BITS | INT))
    }

    pub fn pid(pid: Pid) -> Term {
        immediate(PID, pid.0)
    }

    pub fn port(port: Port) -> Term {
        immediate(PORT, port.0)
    }

    pub fn reference(reference: Ref) -> Term {
        immediate(REF, reference.0)
    }

    pub fn float(value: f64) -> Term {
        pack(Shared::new(value))
    }

    #[inline]
    pub fn cons(head: Term, tail: Term) -> Term {
        pack(Shared::new(Cons { head, tail }))
    }

    /// What the term is.
    #[inline]
    pub fn view(&self) -> View<'_> {
        match self.tag() {
            INT => View::Int(self.int_value()),
            IMMEDIATE => {
                let value = (self.word() >> VALUE_SHIFT) as u64;
                match self.word() >> SUBTAG_SHIFT & 7 {
                    ATOM => View::Atom(Atom::from_index(value as u32)),
                    PID => View::Pid(Pid(value)),
                    PORT => View::Port(Port(value)),
                    REF => View::Ref(Ref(value)),
                    _ => View::Nil,
                }
            }
            CONS => View::Cons(self.target()),
            TUPLE => View::Tuple(self.tuple_elements()),
            FLOAT => View::Float(*self.target::<f64>()),
            MAP => View::Map(self.target()),
            BITS => View::Bits(self.target()),
            _ => View::Boxed(self.target()),
        }
    }

    #[inline]
    fn int_value(&self) -> i64 {
        self.word() as i64 >> TAG_BITS
    }

    /// A small integer.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        (self.tag() == INT).then(|| self.int_value())
    }

    #[inline]
    pub fn as_atom(&self) -> Option<Atom> {
        const MASK: usize = (1 << VALUE_SHIFT) - 1;
        const IS_ATOM: usize = ATOM << SUBTAG_SHIFT | IMMEDIATE;
        (self.word() & MASK == IS_ATOM)
            .then(|| Atom::from_index((self.word() >> VALUE_SHIFT) as u32))
    }

    #[inline]
    pub fn is_atom(&self, atom: Atom) -> bool {
        self.same_word(&Term::atom_const(atom))
    }

    #[inline]
    pub fn is_nil(&self) -> bool {
        self.same_word(&Term::NIL)
    }

    #[inline]
    pub fn as_cons(&self) -> Option<&Cons> {
        (self.tag() == CONS).then(|| self.target())
    }

    #[inline]
    pub fn as_tuple(&self) -> Option<&[Term]> {
        (self.tag() == TUPLE).then(|| self.tuple_elements())
    }

    #[inline]
    pub fn as_map(&self) -> Option<&Map> {
        (self.tag() == MAP).then(|| self.target())
    }

    #[inline]
    pub fn as_bits(&self) -> Option<&Bits> {
        (self.tag() == BITS).then(|| self.target())
    }

    pub fn as_boxed(&self) -> Option<&Boxed> {
        (self.tag() == BOXED).then(|| self.target())
    }

    #[inline]
    pub fn as_float(&self) -> Option<f64> {
        (self.tag() == FLOAT).then(|| *self.target::<f64>())
    }

    /// Whether the two are the very same word: the same immediate value, or the same data.
    #[inline]
    pub fn same_word(&self, other: &Term) -> bool {
        self.word() == other.word()
    }

    /// What tells this word from others while all of them live: for sets of what was seen. It
    /// depends on addresses, so nothing that can be seen may depend on it.
    pub fn identity(&self) -> usize {
        self.word()
    }

    /// Whether the term is one word without a pointer.
    #[inline]
    pub fn is_immediate(&self) -> bool {
        self.word() & POINTER_MASK == 0
    }

    /// The cell of a list, to be taken apart.
    #[inline]
    pub fn into_cons(self) -> Result<Shared<Cons>, Term> {
        if self.tag() == CONS { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_tuple(self) -> Result<Tuple, Term> {
        if self.tag() == TUPLE { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_map(self) -> Result<Shared<Map>, Term> {
        if self.tag() == MAP { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_bits(self) -> Result<Shared<Bits>, Term> {
        if self.tag() == BITS { Ok(self.unpack()) } else { Err(self) }
    }

    /// The data itself if nobody else holds it, else a copy.
    pub fn into_boxed(self) -> Result<Boxed, Term> {
        if self.tag() != BOXED {
            return Err(self);
        }
        let shared: Shared<Boxed> = self.unpack();
        Ok(Shared::try_unwrap(shared).unwrap_or_else(|shared| Boxed::clone(&shared)))
    }

    /// Adding two small integers, in the representation.
    #[inline]
    pub fn add_small(&self, other: &Term) -> Option<Term> {
        if self.tag() == INT && other.tag() == INT {
            let sum = ((self.word() ^ INT) as i64).checked_add(other.word() as i64)?;
            return Some(word(sum as usize));
        }
        None
    }

    #[inline]
    pub fn sub_small(&self, other: &Term) -> Option<Term> {
        if self.tag() == INT && other.tag() == INT {
            let difference = (self.word() as i64).checked_sub((other.word() ^ INT) as i64)?;
            return Some(word(difference as usize));
        }
        None
    }

    /// The two values, if both are small integers.
    #[inline]
    pub fn both_small(a: &Term, b: &Term) -> Option<(i64, i64)> {
        (a.tag() == INT && b.tag() == INT).then(|| (a.int_value(), b.int_value()))
    }
}

/// How deep dropping recurses.
const DEPTH_LIMIT: usize = 100;

thread_local! {
    /// How deep in [`release`] the thread is.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Terms whose count is zero and that are still to be freed.
    static PENDING: RefCell<Vec<Word>> = const { RefCell::new(Vec::new()) };
    static ANY_PENDING: Cell<bool> = const { Cell::new(false) };
}

/// A pointer whose count is zero: not dropped like a term.
type Word = ManuallyDrop<Term>;

/// Frees what a word points to, whose count has reached zero.
#[inline(never)]
fn release(word: Word) {
    let depth = DEPTH.get();
    if depth >= DEPTH_LIMIT {
        // Where the thread is ending and its list is gone, the memory is given up.
        let _ = PENDING.try_with(|pending| pending.borrow_mut().push(word));
        ANY_PENDING.set(true);
        return;
    }
    DEPTH.set(depth + 1);
    free(word);
    DEPTH.set(depth);
    if depth == 0 && ANY_PENDING.get() {
        release_pending();
    }
}

#[cold]
fn release_pending() {
    DEPTH.set(1);
    while let Ok(Some(word)) = PENDING.try_with(|pending| pending.borrow_mut().pop()) {
        free(word);
    }
    ANY_PENDING.set(false);
    DEPTH.set(0);
}

/// Drops the children of a block and frees it.
fn free(mut word: Word) {
    let block = word.block();
    // SAFETY: the word is a pointer made for the type of its tag, its count is zero, and it is not
    // used again: each block is freed once, by whoever brought its count to zero.
    unsafe {
        match word.tag() {
            CONS => loop {
                let Cons { head, tail } = Shared::<Cons>::take_and_free(word.block());
                drop(head);
                if tail.is_immediate() {
                    break;
                }
                word = ManuallyDrop::new(tail);
                if !word.count().sub() {
                    break;
                }
                if word.tag() != CONS {
                    release(word);
                    break;
                }
            },
            TUPLE => SharedSlice::<Term>::free(block),
            MAP => Shared::<Map>::free(block),
            BITS => Shared::<Bits>::free(block),
            FLOAT => Shared::<f64>::free(block),
            _ => Shared::<Boxed>::free(block),
        }
    }
}

impl From<Tuple> for Term {
    #[inline]
    fn from(tuple: Tuple) -> Term {
        pack(tuple)
    }
}

impl From<Shared<Map>> for Term {
    fn from(map: Shared<Map>) -> Term {
        pack(map)
    }
}

impl From<Shared<Bits>> for Term {
    fn from(bits: Shared<Bits>) -> Term {
        pack(bits)
    }
}

impl From<Shared<Cons>> for Term {
    fn from(cell: Shared<Cons>) -> Term {
        pack(cell)
    }
}

impl From<Boxed> for Term {
    fn from(boxed: Boxed) -> Term {
        pack(Shared::new(boxed))
    }
}

impl Clone for Term {
    #[inline]
    fn clone(&self) -> Term {
        if !self.is_immediate() {
            self.count().add();
        }
        Term(self.0)
    }
}

impl Drop for Term {
    #[inline]
    fn drop(&mut self) {
        if !self.is_immediate() && self.count().sub() {
            release(ManuallyDrop::new(Term(self.0)));
        }
    }
}

impl Default for Term {
    #[inline]
    fn default() -> Term {
        Term::NIL
    }
}
