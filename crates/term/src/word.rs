//! The representation of a term: one word.
//!
//! The low three bits of the word say what the rest is: a small integer, another immediate value
//! (atom, `[]`, pid, port, reference), or a counted pointer to one of six kinds of data. All moves
//! of terms are moves of one word; copying an immediate value touches nothing else.
//!
//! Why not a plain `enum` of values and `Rc`s? It was the first version, and measured: two words a
//! term, written as tag and payload and read back as one 16-byte block, which stalls on every
//! value just written. `bench_fib` took 2.3 times as long, lists twice the memory.
//!
//! This is the only file of the crate with unsafe code. Its argument in one sentence: a word whose
//! tag names a pointer was made by `Rc::into_raw` for exactly the type that the tag stands for
//! (see [`pointer_types`]), and owns one count of it until it is dropped or taken apart.

#![allow(unsafe_code, reason = "the one place where pointers are packed; see the file's comment")]

use std::mem::ManuallyDrop;
use std::num::NonZero;
use std::ptr::NonNull;
use std::rc::Rc;

use atom::Atom;

use crate::bits::Bits;
use crate::boxed::Boxed;
use crate::list::Cons;
use crate::map::Map;
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
const BOXED: usize = 0;
const INT: usize = 1;
const IMMEDIATE: usize = 2;
const BITS: usize = 3;
const CONS: usize = 4;
const TUPLE: usize = 5;
const FLOAT: usize = 6;
const MAP: usize = 7;

/// Immediate values that are not integers have three more bits that say what they are.
const SUBTAG_SHIFT: u32 = TAG_BITS;
const VALUE_SHIFT: u32 = TAG_BITS + 3;
const ATOM: usize = 0;
const NIL: usize = 1;
const PID: usize = 2;
const PORT: usize = 3;
const REF: usize = 4;

/// The integers that fit into a word: 61 bits.
pub const MAX_SMALL: i64 = i64::MAX >> TAG_BITS;
pub const MIN_SMALL: i64 = i64::MIN >> TAG_BITS;

// Immediate values keep 58 bits: numbers of processes and references count from zero.
const _: () = assert!(size_of::<usize>() == 8, "terms are made for 64-bit machines");

/// A type that a term can point to.
///
/// # Safety
/// Each implementor has a tag of its own, and its alignment leaves the tag bits of an address free.
unsafe trait Pointee {
    const TAG: usize;
}

/// Which type each pointer tag stands for.
mod pointer_types {
    use super::{BITS, BOXED, CONS, FLOAT, MAP, Pointee, TAG_MASK, TUPLE};
    use crate::bits::Bits;
    use crate::boxed::Boxed;
    use crate::list::Cons;
    use crate::map::Map;
    use crate::tuple::Tuple;

    macro_rules! pointees {
        ($($ty:ty => $tag:expr),*) => {$(
            // SAFETY: the tags are six different constants, and the alignment is checked here.
            unsafe impl Pointee for $ty {
                const TAG: usize = {
                    assert!(align_of::<$ty>() > TAG_MASK);
                    $tag
                };
            }
        )*};
    }
    pointees!(Boxed => BOXED, Bits => BITS, Cons => CONS, Tuple => TUPLE, f64 => FLOAT, Map => MAP);
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

fn pack<T: Pointee>(value: Rc<T>) -> Term {
    let pointer = Rc::into_raw(value).cast::<u8>();
    let tagged = pointer.map_addr(|address| address | T::TAG);
    // SAFETY: `Rc::into_raw` never returns null, and setting low bits keeps it so.
    Term(unsafe { NonNull::new_unchecked(tagged.cast_mut()) })
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

    /// The pointer without its tag.
    #[inline]
    fn pointer<T: Pointee>(&self) -> *const T {
        debug_assert_eq!(self.tag(), T::TAG);
        self.0.as_ptr().map_addr(|address| address & !TAG_MASK).cast::<T>().cast_const()
    }

    /// What the word points to.
    #[inline]
    fn target<T: Pointee>(&self) -> &T {
        debug_assert_eq!(self.tag(), T::TAG);
        // SAFETY: callers have looked at the tag; so the word came from `pack::<T>` and owns a
        // count, which keeps the value alive as long as `self` is borrowed.
        unsafe { &*self.pointer::<T>() }
    }

    /// Takes the counted pointer out of the word. The tag must be `T`'s.
    #[inline]
    fn unpack<T: Pointee>(self) -> Rc<T> {
        let term = ManuallyDrop::new(self);
        debug_assert_eq!(term.tag(), T::TAG);
        // SAFETY: as in `target`; the count that the word owned now belongs to the `Rc`, because
        // the word is not dropped.
        unsafe { Rc::from_raw(term.pointer::<T>()) }
    }

    /// The counted pointer inside the word, for a moment. The tag must be `T`'s.
    fn with_rc<T: Pointee, R>(&self, look: impl FnOnce(&Rc<T>) -> R) -> R {
        debug_assert_eq!(self.tag(), T::TAG);
        // SAFETY: as in `target`; the `Rc` is never dropped, so the count stays with the word.
        let rc = ManuallyDrop::new(unsafe { Rc::from_raw(self.pointer::<T>()) });
        look(&rc)
    }

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
        pack(Rc::new(value))
    }

    #[inline]
    pub fn cons(head: Term, tail: Term) -> Term {
        // Written in place: a cell made on the stack and moved is read back as one block right
        // after its halves were written, which stalls.
        let mut cell = Rc::<Cons>::new_uninit();
        if let Some(place) = Rc::get_mut(&mut cell) {
            place.write(Cons { head, tail });
        }
        // SAFETY: nobody else holds an `Rc` just made, so `get_mut` gave the place and it was
        // written.
        pack(unsafe { cell.assume_init() })
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
            TUPLE => View::Tuple(self.target::<Tuple>()),
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
        (self.tag() == TUPLE).then(|| &**self.target::<Tuple>())
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

    /// Whether the term is one word without a pointer.
    #[inline]
    pub fn is_immediate(&self) -> bool {
        matches!(self.tag(), INT | IMMEDIATE)
    }

    /// The cell of a list, to be taken apart.
    #[inline]
    pub fn into_cons(self) -> Result<Rc<Cons>, Term> {
        if self.tag() == CONS { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_tuple(self) -> Result<Rc<Tuple>, Term> {
        if self.tag() == TUPLE { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_map(self) -> Result<Rc<Map>, Term> {
        if self.tag() == MAP { Ok(self.unpack()) } else { Err(self) }
    }

    pub fn into_bits(self) -> Result<Rc<Bits>, Term> {
        if self.tag() == BITS { Ok(self.unpack()) } else { Err(self) }
    }

    /// Whether dropping this term would drop a container, and so its children.
    pub(crate) fn is_last_holder_of_children(&self) -> bool {
        match self.tag() {
            CONS => self.with_rc::<Cons, _>(|rc| Rc::strong_count(rc) == 1),
            TUPLE => self.with_rc::<Tuple, _>(|rc| Rc::strong_count(rc) == 1),
            MAP => self.with_rc::<Map, _>(|rc| Rc::strong_count(rc) == 1),
            BOXED => self.with_rc::<Boxed, _>(|rc| Rc::strong_count(rc) == 1),
            _ => false,
        }
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

    #[cold]
    #[inline(never)]
    fn drop_heap(&mut self) {
        let term = Term(self.0);
        match term.tag() {
            CONS => drop(term.unpack::<Cons>()),
            TUPLE => drop(term.unpack::<Tuple>()),
            MAP => drop(term.unpack::<Map>()),
            BITS => drop(term.unpack::<Bits>()),
            FLOAT => drop(term.unpack::<f64>()),
            BOXED => drop(term.unpack::<Boxed>()),
            _ => std::mem::forget(term),
        }
    }
}

impl From<Rc<Tuple>> for Term {
    fn from(tuple: Rc<Tuple>) -> Term {
        pack(tuple)
    }
}

impl From<Rc<Map>> for Term {
    fn from(map: Rc<Map>) -> Term {
        pack(map)
    }
}

impl From<Rc<Bits>> for Term {
    fn from(bits: Rc<Bits>) -> Term {
        pack(bits)
    }
}

impl From<Rc<Cons>> for Term {
    fn from(cell: Rc<Cons>) -> Term {
        pack(cell)
    }
}

impl From<Boxed> for Term {
    fn from(boxed: Boxed) -> Term {
        pack(Rc::new(boxed))
    }
}

impl Clone for Term {
    #[inline]
    fn clone(&self) -> Term {
        if !self.is_immediate() {
            // SAFETY: the word is a pointer made by `Rc::into_raw` for the type of its tag, whose
            // value is alive because `self` owns a count; the new word will own the one added.
            unsafe {
                match self.tag() {
                    CONS => Rc::increment_strong_count(self.pointer::<Cons>()),
                    TUPLE => Rc::increment_strong_count(self.pointer::<Tuple>()),
                    MAP => Rc::increment_strong_count(self.pointer::<Map>()),
                    BITS => Rc::increment_strong_count(self.pointer::<Bits>()),
                    FLOAT => Rc::increment_strong_count(self.pointer::<f64>()),
                    _ => Rc::increment_strong_count(self.pointer::<Boxed>()),
                }
            }
        }
        Term(self.0)
    }
}

impl Drop for Term {
    #[inline]
    fn drop(&mut self) {
        if !self.is_immediate() {
            self.drop_heap();
        }
    }
}

impl Default for Term {
    #[inline]
    fn default() -> Term {
        Term::NIL
    }
}
