//! Constant Erlang terms that are read rather than computed: configuration files
//! ([`crate::consult`]) and the external term format inside `.beam` files ([`crate::beam`]).
//!
//! The terms of one file live in one arena and refer to each other by index. However deeply they
//! nest, building and dropping them needs no recursion. They are not the values of running
//! programs: pids, references and funs are kept only as [`TermKind::Opaque`].

use std::fmt;

use atom::Atom;
use num_bigint::BigInt;
use syntax::quote;

use crate::lint::term::Term as Constant;

/// A term of a [`Terms`] arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TermId(u32);

/// A run of children in the arena's pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Children {
    start: u32,
    len: u32,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TermKind {
    Atom(Atom),
    Integer(i64),
    /// An integer of more than 64 bits; see [`Term::integer`].
    Big(u32),
    Float(f64),
    Nil,
    /// Never empty; `tail` is absent for a proper list.
    List {
        elements: Children,
        tail: Option<TermId>,
    },
    Tuple(Children),
    /// Keys and values in turn.
    Map(Children),
    /// Bytes; see [`Term::bytes`]. A bit string that ends inside a byte is [`TermKind::Opaque`].
    Bytes(u32),
    /// A term that has no meaning outside the node that wrote it; the text says what it was.
    Opaque(&'static str),
}

/// An arena of terms.
#[derive(Debug, Default)]
pub struct Terms {
    kinds: Vec<TermKind>,
    children: Vec<TermId>,
    bigs: Vec<BigInt>,
    bytes: Vec<Box<[u8]>>,
}

impl Terms {
    pub fn add(&mut self, kind: TermKind) -> TermId {
        self.kinds.push(kind);
        TermId(self.kinds.len() as u32 - 1)
    }

    pub fn children(&mut self, children: &[TermId]) -> Children {
        let start = self.children.len() as u32;
        self.children.extend_from_slice(children);
        Children { start, len: children.len() as u32 }
    }

    pub fn integer(&mut self, value: BigInt) -> TermId {
        match i64::try_from(&value) {
            Ok(small) => self.add(TermKind::Integer(small)),
            Err(_) => {
                self.bigs.push(value);
                self.add(TermKind::Big(self.bigs.len() as u32 - 1))
            }
        }
    }

    pub fn binary(&mut self, bytes: &[u8]) -> TermId {
        self.bytes.push(bytes.into());
        self.add(TermKind::Bytes(self.bytes.len() as u32 - 1))
    }

    pub fn tuple(&mut self, elements: &[TermId]) -> TermId {
        let elements = self.children(elements);
        self.add(TermKind::Tuple(elements))
    }

    /// A list; `[]` if there are no elements and no tail. A tail that is itself a list stays a
    /// term of its own: `[a | [b]]` and `[a, b]` are two shapes of one value (see
    /// [`Term::list`]).
    pub fn list(&mut self, elements: &[TermId], tail: Option<TermId>) -> TermId {
        let tail = tail.filter(|&tail| self.kinds[tail.0 as usize] != TermKind::Nil);
        match (elements.is_empty(), tail) {
            (true, None) => self.add(TermKind::Nil),
            (true, Some(tail)) => tail,
            (false, tail) => {
                let elements = self.children(elements);
                self.add(TermKind::List { elements, tail })
            }
        }
    }

    pub fn map(&mut self, keys_and_values: &[TermId]) -> TermId {
        let children = self.children(keys_and_values);
        self.add(TermKind::Map(children))
    }

    pub fn get(&self, id: TermId) -> Term<'_> {
        Term { terms: self, id }
    }
}

/// A term together with its arena: what code that asks questions uses.
#[derive(Clone, Copy)]
pub struct Term<'a> {
    terms: &'a Terms,
    id: TermId,
}

impl<'a> Term<'a> {
    pub fn id(self) -> TermId {
        self.id
    }

    pub fn kind(self) -> TermKind {
        self.terms.kinds[self.id.0 as usize]
    }

    fn all(self, children: Children) -> Vec<Term<'a>> {
        let range = children.start as usize..(children.start + children.len) as usize;
        self.terms.children[range].iter().map(|&id| Term { terms: self.terms, id }).collect()
    }

    pub fn atom(self) -> Option<Atom> {
        match self.kind() {
            TermKind::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    pub fn is_atom(self, text: &str) -> bool {
        self.atom().is_some_and(|atom| atom.as_str() == text)
    }

    pub fn small_integer(self) -> Option<i64> {
        match self.kind() {
            TermKind::Integer(value) => Some(value),
            _ => None,
        }
    }

    pub fn integer(self) -> Option<BigInt> {
        match self.kind() {
            TermKind::Integer(value) => Some(BigInt::from(value)),
            TermKind::Big(index) => self.terms.bigs.get(index as usize).cloned(),
            _ => None,
        }
    }

    pub fn bytes(self) -> Option<&'a [u8]> {
        match self.kind() {
            TermKind::Bytes(index) => self.terms.bytes.get(index as usize).map(|bytes| &**bytes),
            _ => None,
        }
    }

    pub fn tuple(self) -> Option<Vec<Term<'a>>> {
        match self.kind() {
            TermKind::Tuple(elements) => Some(self.all(elements)),
            _ => None,
        }
    }

    /// The elements of a tuple whose first is this atom, without that first.
    pub fn tagged(self, tag: &str) -> Option<Vec<Term<'a>>> {
        let mut elements = self.tuple()?;
        if !elements.first()?.is_atom(tag) {
            return None;
        }
        elements.remove(0);
        Some(elements)
    }

    /// The elements of a proper list, whatever its shape.
    pub fn list(self) -> Option<Vec<Term<'a>>> {
        match self.list_and_tail()? {
            (elements, None) => Some(elements),
            _ => None,
        }
    }

    /// The elements of a list and what comes after them if that is no list.
    pub fn list_and_tail(self) -> Option<(Vec<Term<'a>>, Option<Term<'a>>)> {
        let mut found = Vec::new();
        let mut rest = self;
        loop {
            match rest.kind() {
                TermKind::Nil => return Some((found, None)),
                TermKind::List { elements, tail } => {
                    found.extend(rest.all(elements));
                    match tail {
                        None => return Some((found, None)),
                        Some(id) => rest = Term { terms: self.terms, id },
                    }
                }
                _ if found.is_empty() => return None,
                _ => return Some((found, Some(rest))),
            }
        }
    }

    /// Pairs of a map.
    pub fn map(self) -> Option<Vec<(Term<'a>, Term<'a>)>> {
        match self.kind() {
            TermKind::Map(children) => {
                Some(self.all(children).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
            }
            _ => None,
        }
    }

    /// The characters of a string: a list of code points.
    pub fn string(self) -> Option<String> {
        self.list()?
            .into_iter()
            .map(|element| u32::try_from(element.small_integer()?).ok().and_then(char::from_u32))
            .collect()
    }

    /// What stands for a name in configuration: a string, an atom or a binary.
    pub fn text(self) -> Option<String> {
        match self.kind() {
            TermKind::Atom(atom) => Some(atom.as_str().to_owned()),
            TermKind::Bytes(_) => String::from_utf8(self.bytes()?.to_vec()).ok(),
            _ => self.string(),
        }
    }
}

/// Deeper terms than this are nothing that an option or an attribute can be.
const CONSTANT_DEPTH: u32 = 64;

impl Term<'_> {
    /// The term as a value of its own, as the checks of attributes and options have it.
    pub fn constant(self) -> Constant {
        self.constant_to(CONSTANT_DEPTH)
    }

    fn constant_to(self, depth: u32) -> Constant {
        let all = |terms: Vec<Term<'_>>| -> Vec<Constant> {
            terms.into_iter().map(|term| term.constant_to(depth - 1)).collect()
        };
        match self.kind() {
            TermKind::Atom(atom) => Constant::Atom(atom),
            TermKind::Integer(_) | TermKind::Big(_) => {
                self.integer().map_or(Constant::Other, Constant::Integer)
            }
            TermKind::Float(value) => Constant::Float(value),
            TermKind::Nil => Constant::List(Vec::new()),
            TermKind::List { .. } if depth > 0 => {
                self.list().map_or(Constant::Other, |elements| Constant::List(all(elements)))
            }
            TermKind::Tuple(_) if depth > 0 => {
                Constant::Tuple(all(self.tuple().unwrap_or_default()))
            }
            _ => Constant::Other,
        }
    }
}

/// What is still to be written: a term, or the text between two terms.
enum Part<'a> {
    Term(Term<'a>),
    Text(&'static str),
}

impl fmt::Display for Term<'_> {
    /// Erlang text that reads back as the same term (opaque terms excepted).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending = vec![Part::Term(*self)];
        while let Some(part) = pending.pop() {
            let term = match part {
                Part::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Part::Term(term) => term,
            };
            match term.kind() {
                TermKind::Atom(atom) => f.write_str(&quote::atom(atom.as_str()))?,
                TermKind::Integer(value) => write!(f, "{value}")?,
                TermKind::Big(_) => write!(f, "{}", term.integer().unwrap_or_default())?,
                TermKind::Float(value) => f.write_str(&quote::float(value))?,
                TermKind::Nil => f.write_str("[]")?,
                TermKind::List { elements, tail } => match term.string().filter(|s| printable(s)) {
                    Some(text) => f.write_str(&quote::string(&text))?,
                    None => {
                        pending.push(Part::Text("]"));
                        if let Some(id) = tail {
                            pending.push(Part::Term(Term { terms: term.terms, id }));
                            pending.push(Part::Text("|"));
                        }
                        push_separated(&mut pending, term.all(elements), ",");
                        pending.push(Part::Text("["));
                    }
                },
                TermKind::Tuple(elements) => {
                    pending.push(Part::Text("}"));
                    push_separated(&mut pending, term.all(elements), ",");
                    pending.push(Part::Text("{"));
                }
                TermKind::Map(_) => {
                    pending.push(Part::Text("}"));
                    for (index, (key, value)) in
                        term.map().unwrap_or_default().into_iter().enumerate().rev()
                    {
                        pending.push(Part::Term(value));
                        pending.push(Part::Text(" => "));
                        pending.push(Part::Term(key));
                        if index > 0 {
                            pending.push(Part::Text(","));
                        }
                    }
                    pending.push(Part::Text("#{"));
                }
                TermKind::Bytes(_) => {
                    let bytes: Vec<_> =
                        term.bytes().unwrap_or_default().iter().map(u8::to_string).collect();
                    write!(f, "<<{}>>", bytes.join(","))?;
                }
                TermKind::Opaque(what) => write!(f, "'<{what}>'")?,
            }
        }
        Ok(())
    }
}

fn push_separated<'a>(pending: &mut Vec<Part<'a>>, terms: Vec<Term<'a>>, separator: &'static str) {
    for (index, term) in terms.into_iter().enumerate().rev() {
        pending.push(Part::Term(term));
        if index > 0 {
            pending.push(Part::Text(separator));
        }
    }
}

fn printable(text: &str) -> bool {
    text.chars().all(|c| !c.is_control())
}
