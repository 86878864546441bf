//! The external term format: terms as bytes, as `term_to_binary/1` writes them.
//!
//! Writes what OTP 25 writes (atoms of Latin-1 in the old encoding unless version 2 is asked for);
//! reads every form that a term can have on its own. Identifiers of this node (`nonode@nohost`) are
//! recognised; those of other nodes are kept as they are. Compressed terms are the business of the
//! caller: this crate knows no zlib.
//!
//! Both directions work with a stack of their own. Lengths that the input claims are believed only
//! as far as there are bytes.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};

use crate::bits::Bits;
use crate::format::float::scientific;
use crate::fun::{Closure, Fun};
use crate::record::{Record, Shape};
use crate::{Atom, Boxed, Foreign, ForeignKind, Map, Pid, Port, Ref, Term, Tuple, View};

/// The first byte of an encoded term.
pub const VERSION: u8 = 131;
/// The byte after it if the rest is compressed.
pub const COMPRESSED: u8 = 80;

/// The node that a Machine is.
pub const THIS_NODE: &str = "nonode@nohost";

mod tag {
    /// Since OTP 29: number of fields, a byte that is 1 for an exported record, module, name, the
    /// names of the fields and their values.
    pub(super) const RECORD: u8 = 67;
    pub(super) const NEW_FLOAT: u8 = 70;
    pub(super) const BIT_BINARY: u8 = 77;
    pub(super) const NEW_PID: u8 = 88;
    pub(super) const NEW_PORT: u8 = 89;
    pub(super) const NEWER_REFERENCE: u8 = 90;
    pub(super) const SMALL_INTEGER: u8 = 97;
    pub(super) const INTEGER: u8 = 98;
    pub(super) const FLOAT: u8 = 99;
    pub(super) const ATOM: u8 = 100;
    pub(super) const REFERENCE: u8 = 101;
    pub(super) const PORT: u8 = 102;
    pub(super) const PID: u8 = 103;
    pub(super) const SMALL_TUPLE: u8 = 104;
    pub(super) const LARGE_TUPLE: u8 = 105;
    pub(super) const NIL: u8 = 106;
    pub(super) const STRING: u8 = 107;
    pub(super) const LIST: u8 = 108;
    pub(super) const BINARY: u8 = 109;
    pub(super) const SMALL_BIG: u8 = 110;
    pub(super) const LARGE_BIG: u8 = 111;
    pub(super) const NEW_FUN: u8 = 112;
    pub(super) const EXPORT: u8 = 113;
    pub(super) const NEW_REFERENCE: u8 = 114;
    pub(super) const SMALL_ATOM: u8 = 115;
    pub(super) const MAP: u8 = 116;
    pub(super) const ATOM_UTF8: u8 = 118;
    pub(super) const SMALL_ATOM_UTF8: u8 = 119;
    pub(super) const V4_PORT: u8 = 120;
}

// ---- writing -----------------------------------------------------------------------------------

/// Something that is still to be written.
enum Piece<'a> {
    Term(&'a Term),
    /// What is left of a list: elements, then its tail.
    Rest(&'a Term),
    /// The end of a fun, whose size belongs at this place.
    SizeOfFun(usize),
}

/// Appends the encoding of `term`, without the version byte. `minor_version` is 0, 1 or 2.
pub fn encode(term: &Term, minor_version: u8, out: &mut Vec<u8>) {
    let mut writer = Writer { out, minor_version };
    let mut pending = vec![Piece::Term(term)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Term(term) => writer.term(term, &mut pending),
            Piece::Rest(rest) => match rest.as_cons() {
                Some(cell) => {
                    pending.extend([Piece::Rest(&cell.tail), Piece::Term(&cell.head)]);
                }
                None => pending.push(Piece::Term(rest)),
            },
            Piece::SizeOfFun(at) => {
                let size = (writer.out.len() - at) as u32;
                writer.out[at..at + 4].copy_from_slice(&size.to_be_bytes());
            }
        }
    }
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
    minor_version: u8,
}

impl Writer<'_> {
    fn u16(&mut self, value: usize) {
        self.out.extend_from_slice(&(value as u16).to_be_bytes());
    }

    fn u32(&mut self, value: usize) {
        self.out.extend_from_slice(&(value as u32).to_be_bytes());
    }

    fn term<'a>(&mut self, term: &'a Term, pending: &mut Vec<Piece<'a>>) {
        match term.view() {
            View::Nil => self.out.push(tag::NIL),
            View::Int(value) => self.integer(value),
            View::Atom(atom) => self.atom(atom),
            View::Float(value) => self.float(value),
            View::Cons(_) => self.list(term, pending),
            View::Tuple(elements) => {
                match u8::try_from(elements.len()) {
                    Ok(len) => self.out.extend([tag::SMALL_TUPLE, len]),
                    Err(_) => {
                        self.out.push(tag::LARGE_TUPLE);
                        self.u32(elements.len());
                    }
                }
                pending.extend(elements.iter().rev().map(Piece::Term));
            }
            View::Map(map) => {
                self.out.push(tag::MAP);
                self.u32(map.len());
                for (key, value) in map.listed().rev() {
                    pending.extend([Piece::Term(value), Piece::Term(key)]);
                }
            }
            View::Bits(bits) => self.bits(bits),
            View::Pid(pid) => self.pid(this_node(), pid_numbers(pid), 0),
            View::Port(port) => self.port(this_node(), port.0, 0),
            View::Ref(reference) => self.reference(this_node(), &ref_numbers(reference), 0),
            View::Boxed(Boxed::Big(value)) => self.big(value),
            View::Boxed(Boxed::Foreign(foreign)) => self.foreign(foreign),
            View::Boxed(Boxed::Record(record)) => {
                let shape = record.shape();
                self.out.push(tag::RECORD);
                self.u32(shape.fields().len());
                self.out.push(u8::from(shape.exported));
                self.atom(shape.module);
                self.atom(shape.name);
                shape.fields().iter().for_each(|field| self.atom(*field));
                pending.extend(record.values().iter().rev().map(Piece::Term));
            }
            View::Boxed(Boxed::Fun(Fun::External { module, name, arity })) => {
                self.out.push(tag::EXPORT);
                self.atom(*module);
                self.atom(*name);
                self.integer(i64::from(*arity));
            }
            View::Boxed(Boxed::Fun(Fun::Local(closure))) => self.closure(closure, pending),
        }
    }

    fn integer(&mut self, value: i64) {
        if let Ok(byte) = u8::try_from(value) {
            self.out.extend([tag::SMALL_INTEGER, byte]);
        } else if let Ok(word) = i32::try_from(value) {
            self.out.push(tag::INTEGER);
            self.out.extend_from_slice(&word.to_be_bytes());
        } else {
            self.big(&BigInt::from(value));
        }
    }

    fn big(&mut self, value: &BigInt) {
        let (sign, bytes) = value.to_bytes_le();
        match u8::try_from(bytes.len()) {
            Ok(len) => self.out.extend([tag::SMALL_BIG, len]),
            Err(_) => {
                self.out.push(tag::LARGE_BIG);
                self.u32(bytes.len());
            }
        }
        self.out.push(u8::from(sign == Sign::Minus));
        self.out.extend_from_slice(&bytes);
    }

    fn atom(&mut self, atom: Atom) {
        let text = atom.as_str();
        if self.minor_version < 2 && text.chars().all(|c| u32::from(c) <= 0xFF) {
            self.out.push(tag::ATOM);
            self.u16(text.chars().count());
            self.out.extend(text.chars().map(|c| u32::from(c) as u8));
            return;
        }
        match u8::try_from(text.len()) {
            Ok(len) => self.out.extend([tag::SMALL_ATOM_UTF8, len]),
            Err(_) => {
                self.out.push(tag::ATOM_UTF8);
                self.u16(text.len());
            }
        }
        self.out.extend_from_slice(text.as_bytes());
    }

    fn float(&mut self, value: f64) {
        if self.minor_version >= 1 {
            self.out.push(tag::NEW_FLOAT);
            self.out.extend_from_slice(&value.to_be_bytes());
            return;
        }
        const WIDTH: usize = 31;
        self.out.push(tag::FLOAT);
        let mut text = scientific(value, 20).into_bytes();
        text.resize(WIDTH, 0);
        self.out.extend_from_slice(&text);
    }

    fn list<'a>(&mut self, list: &'a Term, pending: &mut Vec<Piece<'a>>) {
        let mut elements = list.elements();
        let mut len = 0;
        let mut bytes = Some(Vec::new());
        for element in elements.by_ref() {
            len += 1;
            match (element.as_int().map(u8::try_from), &mut bytes) {
                (Some(Ok(byte)), Some(bytes)) => bytes.push(byte),
                _ => bytes = None,
            }
        }
        match bytes {
            Some(bytes) if elements.is_proper() && len <= usize::from(u16::MAX) => {
                self.out.push(tag::STRING);
                self.u16(len);
                self.out.extend_from_slice(&bytes);
            }
            _ => {
                self.out.push(tag::LIST);
                self.u32(len);
                pending.push(Piece::Rest(list));
            }
        }
    }

    fn bits(&mut self, bits: &Bits) {
        let odd = bits.bit_len() % 8;
        self.out.push(if odd == 0 { tag::BINARY } else { tag::BIT_BINARY });
        self.u32(bits.byte_len());
        if odd != 0 {
            self.out.push(odd as u8);
        }
        match bits.as_bytes() {
            Some(bytes) => self.out.extend_from_slice(bytes),
            None => self.out.extend(bits.padded_bytes()),
        }
    }

    fn pid(&mut self, node: Atom, [number, serial]: [u32; 2], creation: u32) {
        self.out.push(tag::NEW_PID);
        self.atom(node);
        for word in [number, serial, creation] {
            self.u32(word as usize);
        }
    }

    fn port(&mut self, node: Atom, number: u64, creation: u32) {
        match u32::try_from(number) {
            Ok(number) if number < 1 << 28 => {
                self.out.push(tag::NEW_PORT);
                self.atom(node);
                self.u32(number as usize);
            }
            _ => {
                self.out.push(tag::V4_PORT);
                self.atom(node);
                self.out.extend_from_slice(&number.to_be_bytes());
            }
        }
        self.u32(creation as usize);
    }

    fn reference(&mut self, node: Atom, numbers: &[u32], creation: u32) {
        self.out.push(tag::NEWER_REFERENCE);
        self.u16(numbers.len());
        self.atom(node);
        self.u32(creation as usize);
        for &number in numbers {
            self.u32(number as usize);
        }
    }

    fn foreign(&mut self, foreign: &Foreign) {
        let Foreign { kind, node, creation, numbers } = foreign;
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        match kind {
            ForeignKind::Pid => self.pid(*node, [number(0), number(1)], *creation),
            ForeignKind::Port => {
                let wide = u64::from(number(0)) | u64::from(number(1)) << 32;
                self.port(*node, wide, *creation);
            }
            ForeignKind::Ref => self.reference(*node, numbers, *creation),
        }
    }

    /// The size of a fun's encoding stands before it and is filled in at the end.
    fn closure<'a>(&mut self, closure: &'a Closure, pending: &mut Vec<Piece<'a>>) {
        self.out.push(tag::NEW_FUN);
        pending.push(Piece::SizeOfFun(self.out.len()));
        pending.extend(closure.env.iter().rev().map(Piece::Term));
        self.u32(0);
        self.out.push(closure.arity as u8);
        // The BEAM has a digest of the whole module here; ours is shorter.
        self.out.extend_from_slice(&[0; 12]);
        self.u32(closure.unique as usize);
        self.u32(closure.index as usize);
        self.u32(closure.env.len());
        self.atom(closure.module);
        self.integer(i64::from(closure.index));
        self.integer(i64::from(closure.unique));
        self.pid(this_node(), pid_numbers(closure.maker), 0);
    }
}

fn this_node() -> Atom {
    Atom::new(THIS_NODE)
}

/// Number and serial of a local pid, as it is printed.
fn pid_numbers(pid: Pid) -> [u32; 2] {
    [(pid.0 & 0x0FFF_FFFF) as u32, (pid.0 >> 28) as u32]
}

/// The words of a local reference, in the reverse of the order in which they are printed.
fn ref_numbers(reference: Ref) -> [u32; 3] {
    let number = reference.0;
    [(number & 0xFFFF) as u32, (number >> 16 & 0xFFFF) as u32, (number >> 32) as u32]
}

// ---- reading -----------------------------------------------------------------------------------

/// Where the code of funs is found that are read.
pub trait Closures {
    /// Name and entry of the fun with this number in this version of a module.
    fn find(&self, module: Atom, index: u32, unique: u32) -> Option<(Atom, u32)>;
}

/// What may be made while reading.
pub struct Reading<'a> {
    /// Atoms and functions must exist already.
    pub safe: bool,
    pub closures: &'a dyn Closures,
}

/// Reads a term (after the version byte). Returns it and how many bytes it took; `None` if the
/// bytes are no term.
pub fn decode(bytes: &[u8], reading: &Reading<'_>) -> Option<(Term, usize)> {
    let mut reader = Reader { bytes, at: 0, reading };
    let mut stack: Vec<Unfinished> = Vec::new();
    loop {
        let mut value = match reader.term()? {
            Read::Whole(term) => term,
            Read::Start(start) => {
                stack.push(start);
                continue;
            }
        };
        loop {
            let Some(top) = stack.last_mut() else { return Some((value, reader.at)) };
            top.parts.push(value);
            if top.parts.len() < top.wanted {
                break;
            }
            value = stack.pop()?.finish()?;
        }
    }
}

/// A term whose parts are being read.
struct Unfinished {
    kind: Kind,
    parts: Vec<Term>,
    wanted: usize,
}

enum Kind {
    List,
    Tuple,
    Map,
    Closure(Box<Closure>),
    Record(Rc<Shape>),
}

impl Unfinished {
    fn finish(self) -> Option<Term> {
        let mut parts = self.parts;
        Some(match self.kind {
            Kind::Tuple => Term::tuple(parts),
            Kind::List => {
                let tail = parts.pop()?;
                Term::improper(parts, tail)
            }
            Kind::Map => {
                let wanted = parts.len() / 2;
                let mut map = Map::new();
                let mut parts = parts.into_iter();
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    map.insert(key, value);
                }
                // No key may come twice.
                (map.len() == wanted).then(|| Term::map(map))?
            }
            Kind::Record(shape) => Term::record(Record::new(shape, parts.into_iter().collect())?),
            Kind::Closure(mut closure) => {
                closure.env = parts.into();
                Term::fun(Fun::Local(*closure))
            }
        })
    }
}

enum Read {
    Whole(Term),
    Start(Unfinished),
}

struct Reader<'b, 'r> {
    bytes: &'b [u8],
    at: usize,
    reading: &'r Reading<'r>,
}

impl<'b> Reader<'b, '_> {
    fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(len)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn u16(&mut self) -> Option<usize> {
        Some(usize::from(u16::from_be_bytes(self.take(2)?.try_into().ok()?)))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn len(&mut self) -> Option<usize> {
        self.u32().map(|len| len as usize)
    }

    /// Starts a term with parts, each of which takes at least one byte.
    fn start(&self, kind: Kind, wanted: usize) -> Option<Read> {
        if wanted > self.bytes.len() - self.at {
            return None;
        }
        let parts = Vec::with_capacity(wanted);
        Some(Read::Start(Unfinished { kind, parts, wanted }))
    }

    fn term(&mut self) -> Option<Read> {
        let tag = self.u8()?;
        match tag {
            tag::SMALL_TUPLE | tag::LARGE_TUPLE => {
                let len =
                    if tag == tag::SMALL_TUPLE { usize::from(self.u8()?) } else { self.len()? };
                match len {
                    0 => Some(Read::Whole(Term::tuple([]))),
                    _ => self.start(Kind::Tuple, len),
                }
            }
            tag::LIST => {
                let len = self.len()?;
                self.start(Kind::List, len.checked_add(1)?)
            }
            tag::MAP => match self.len()? {
                0 => Some(Read::Whole(Term::map(Map::new()))),
                len => self.start(Kind::Map, len.checked_mul(2)?),
            },
            tag::NEW_FUN => self.closure(),
            tag::RECORD => self.record(),
            _ => self.leaf(tag).map(Read::Whole),
        }
    }

    /// A term without parts.
    fn leaf(&mut self, tag: u8) -> Option<Term> {
        Some(match tag {
            tag::SMALL_INTEGER => Term::int(i64::from(self.u8()?)),
            tag::INTEGER => Term::int(i64::from(self.u32()? as i32)),
            tag::SMALL_BIG | tag::LARGE_BIG => {
                let len = if tag == tag::SMALL_BIG { usize::from(self.u8()?) } else { self.len()? };
                let sign = if self.u8()? == 0 { Sign::Plus } else { Sign::Minus };
                Term::big(BigInt::from_bytes_le(sign, self.take(len)?))
            }
            tag::NEW_FLOAT => {
                let value = f64::from_be_bytes(self.take(8)?.try_into().ok()?);
                value.is_finite().then(|| Term::float(value))?
            }
            tag::FLOAT => {
                let text = self.take(31)?;
                let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
                let value: f64 = std::str::from_utf8(&text[..end]).ok()?.trim().parse().ok()?;
                value.is_finite().then(|| Term::float(value))?
            }
            tag::NIL => Term::NIL,
            tag::STRING => {
                let len = self.u16()?;
                Term::list(self.take(len)?.iter().map(|&byte| Term::int(i64::from(byte))))
            }
            tag::BINARY => {
                let len = self.len()?;
                Term::binary(self.take(len)?)
            }
            tag::BIT_BINARY => {
                let len = self.len()?;
                let odd = usize::from(self.u8()?);
                let bytes = self.take(len)?;
                let valid = match len {
                    0 => odd == 0,
                    _ => (1..=8).contains(&odd),
                };
                valid.then_some(())?;
                let bits = if len == 0 { 0 } else { (len - 1) * 8 + odd };
                Term::bits(Bits::from_bits(bytes.to_vec(), bits))
            }
            tag::EXPORT => self.export()?,
            tag::PID | tag::NEW_PID => self.pid(tag)?,
            tag::PORT | tag::NEW_PORT | tag::V4_PORT => self.port(tag)?,
            tag::REFERENCE | tag::NEW_REFERENCE | tag::NEWER_REFERENCE => self.reference(tag)?,
            _ => Term::from(self.atom(tag)?),
        })
    }

    fn atom(&mut self, tag: u8) -> Option<Atom> {
        const MAX_CHARACTERS: usize = 255;
        let len = match tag {
            tag::ATOM | tag::ATOM_UTF8 => self.u16()?,
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => usize::from(self.u8()?),
            _ => return None,
        };
        let bytes = self.take(len)?;
        let text = match tag {
            tag::ATOM | tag::SMALL_ATOM => bytes.iter().map(|&byte| char::from(byte)).collect(),
            _ => String::from_utf8(bytes.to_vec()).ok()?,
        };
        if text.chars().count() > MAX_CHARACTERS {
            return None;
        }
        if self.reading.safe { Atom::existing(&text) } else { Some(Atom::new(&text)) }
    }

    fn tagged_atom(&mut self) -> Option<Atom> {
        let tag = self.u8()?;
        self.atom(tag)
    }

    fn small_number(&mut self) -> Option<u32> {
        let tag = self.u8()?;
        match tag {
            tag::SMALL_INTEGER | tag::INTEGER => {}
            _ => return None,
        }
        self.leaf(tag)?.as_int().and_then(|number| u32::try_from(number).ok())
    }

    fn export(&mut self) -> Option<Term> {
        let module = self.tagged_atom()?;
        let name = self.tagged_atom()?;
        let arity = self.small_number()?;
        Some(Term::fun(Fun::External { module, name, arity }))
    }

    fn creation(&mut self, wide: bool) -> Option<u32> {
        if wide { self.u32() } else { self.u8().map(u32::from) }
    }

    fn pid(&mut self, tag: u8) -> Option<Term> {
        let node = self.tagged_atom()?;
        let (number, serial) = (self.u32()?, self.u32()?);
        let creation = self.creation(tag == tag::NEW_PID)?;
        if is_local(node, creation)
            && let Some(pid) = Pid::from_numbers(u64::from(number), u64::from(serial))
        {
            return Some(Term::pid(pid));
        }
        Some(foreign(ForeignKind::Pid, node, creation, vec![number, serial]))
    }

    fn port(&mut self, tag: u8) -> Option<Term> {
        let node = self.tagged_atom()?;
        let number = if tag == tag::V4_PORT {
            u64::from(self.u32()?) << 32 | u64::from(self.u32()?)
        } else {
            u64::from(self.u32()?)
        };
        let creation = self.creation(tag != tag::PORT)?;
        if is_local(node, creation)
            && let Some(port) = Port::from_number(number)
        {
            return Some(Term::port(port));
        }
        let numbers = match number >> 32 {
            0 => vec![number as u32],
            high => vec![number as u32, high as u32],
        };
        Some(foreign(ForeignKind::Port, node, creation, numbers))
    }

    fn reference(&mut self, tag: u8) -> Option<Term> {
        const MAX_WORDS: usize = 5;
        let words = if tag == tag::REFERENCE { 1 } else { self.u16()? };
        let node = self.tagged_atom()?;
        let (creation, numbers) = if tag == tag::REFERENCE {
            let number = self.u32()?;
            (u32::from(self.u8()?), vec![number])
        } else {
            let creation = self.creation(tag == tag::NEWER_REFERENCE)?;
            if words == 0 || words > MAX_WORDS {
                return None;
            }
            (creation, (0..words).map(|_| self.u32()).collect::<Option<Vec<u32>>>()?)
        };
        if is_local(node, creation) && numbers.len() <= 3 {
            let word = |at: usize| numbers.get(at).copied().unwrap_or(0);
            return Some(local_reference([word(0), word(1), word(2)]));
        }
        Some(foreign(ForeignKind::Ref, node, creation, numbers))
    }

    fn record(&mut self) -> Option<Read> {
        let count = self.len()?;
        // The other bits are reserved.
        let exported = match self.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let (module, name) = (self.tagged_atom()?, self.tagged_atom()?);
        if count > self.bytes.len() - self.at {
            return None;
        }
        let fields = (0..count).map(|_| self.tagged_atom()).collect::<Option<Vec<Atom>>>()?;
        let shape = Rc::new(Shape::new(module, name, exported, fields)?);
        match count {
            0 => Some(Read::Whole(Term::record(Record::new(shape, Tuple::default())?))),
            _ => self.start(Kind::Record(shape), count),
        }
    }

    fn closure(&mut self) -> Option<Read> {
        let _size = self.u32()?;
        let arity = u32::from(self.u8()?);
        let _digest = self.take(16)?;
        let _index = self.u32()?;
        let free = self.len()?;
        let module = self.tagged_atom()?;
        let index = self.small_number()?;
        let unique = self.small_number()?;
        let tag = self.u8()?;
        // A process of another node is none of ours: the BEAM says that the first one made the fun.
        let maker = self.pid(tag)?.as_pid().unwrap_or_default();
        let found = self.reading.closures.find(module, index, unique);
        let (name, entry) = found.unwrap_or_else(|| (Atom::new(""), Closure::NOWHERE));
        let env = Box::default();
        let closure = Closure { module, name, arity, index, unique, entry, maker, env };
        match free {
            0 => Some(Read::Whole(Term::fun(Fun::Local(closure)))),
            _ => self.start(Kind::Closure(Box::new(closure)), free),
        }
    }
}

fn is_local(node: Atom, creation: u32) -> bool {
    creation == 0 && node.as_str() == THIS_NODE
}

/// The reference of this node with these words, the last printed first.
pub fn local_reference(words: [u32; 3]) -> Term {
    let [a, b, c] = words.map(u64::from);
    // A number of this Machine has 58 bits; anything else was made elsewhere.
    match a <= 0xFFFF && b <= 0xFFFF && c < 1 << 26 {
        true => Term::reference(Ref(c << 32 | b << 16 | a)),
        false => foreign(ForeignKind::Ref, this_node(), 0, words.to_vec()),
    }
}

fn foreign(kind: ForeignKind, node: Atom, creation: u32, numbers: Vec<u32>) -> Term {
    Boxed::Foreign(Foreign { kind, node, creation, numbers }).into()
}
