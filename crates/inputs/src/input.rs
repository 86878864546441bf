//! A value that belongs to no Machine.
//!
//! Terms belong to one thread and funs to the code of one Machine; an [`Input`] is plain data that
//! can be kept, compared, written and made into a term as often as one likes. What is more than
//! data is described: a fun by what it answers, a process, port or reference by a number (the same
//! number is the same process within one input).

use atom::Atom;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use term::{Map, Pid, Port, Ref, Term};
use types::Type;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    Integer(BigInt),
    Atom(Atom),
    Float(Float),
    Bits(BitString),
    /// The elements, and what is behind the last one if that is not `[]`. No elements: `[]`.
    List(Vec<Input>, Option<Box<Input>>),
    Tuple(Vec<Input>),
    /// In the order of the keys.
    Map(Vec<(Input, Input)>),
    Fun(Box<Fun>),
    /// A process that waits for ever.
    Process(u32),
    Port(u32),
    Reference(u32),
    /// A native record.
    Record(Box<Record>),
}

/// A float that can be compared and hashed: by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float(u64);

impl Float {
    pub const ZERO: Float = Float(0);

    /// `None` for what is no number.
    pub fn new(value: f64) -> Option<Float> {
        value.is_finite().then(|| Float(value.to_bits()))
    }

    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// So many bits; those of the last byte that do not count are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitString {
    len: usize,
    bytes: Vec<u8>,
}

impl BitString {
    pub fn new(mut bytes: Vec<u8>, len: usize) -> BitString {
        bytes.resize(len.div_ceil(8), 0);
        if let (Some(last), 1..) = (bytes.last_mut(), len % 8) {
            *last &= 0xFF << (8 - len % 8);
        }
        BitString { len, bytes }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn bit(&self, at: usize) -> bool {
        self.bytes[at / 8] >> (7 - at % 8) & 1 == 1
    }

    /// The bits without those of a part.
    #[must_use]
    pub fn without(&self, from: usize, to: usize) -> BitString {
        if from.is_multiple_of(8) && to.is_multiple_of(8) {
            let bytes = [&self.bytes[..from / 8], &self.bytes[to / 8..]].concat();
            return BitString::new(bytes, self.len - (to - from));
        }
        self.picked((0..from).chain(to..self.len))
    }

    /// These of its bits, in this order.
    #[must_use]
    pub fn picked(&self, places: impl Iterator<Item = usize>) -> BitString {
        let (mut bytes, mut len) = (Vec::new(), 0);
        for place in places {
            if len % 8 == 0 {
                bytes.push(0);
            }
            if self.bit(place) {
                bytes[len / 8] |= 1 << (7 - len % 8);
            }
            len += 1;
        }
        BitString { len, bytes }
    }
}

/// A fun that answers the same to the same arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fun {
    pub arity: u32,
    /// Arguments, which are data, with what it gives for them.
    pub table: Vec<(Vec<Input>, Input)>,
    /// What it gives for other arguments: one of these, by a hash of the arguments. None if it
    /// fails.
    pub others: Vec<Input>,
}

/// A native record: the names of its fields in the order of their definition, and their values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Record {
    pub module: Atom,
    pub name: Atom,
    pub fields: Vec<(Atom, Input)>,
}

/// Makes what is more than data, on a Machine.
pub trait Maker {
    /// A fun that answers by the table, else by one of `others`.
    fn fun(&mut self, fun: &Fun, table: Vec<(Vec<Term>, Term)>, others: Vec<Term>) -> Term;
    fn process(&mut self, number: u32) -> Term;
    fn port(&mut self, number: u32) -> Term;
    fn reference(&mut self, number: u32) -> Term;
}

/// Makes terms that are good for nothing but to be looked at.
struct OnPaper;

impl Maker for OnPaper {
    fn fun(&mut self, fun: &Fun, _: Vec<(Vec<Term>, Term)>, _: Vec<Term>) -> Term {
        let (module, name) = (Atom::new(MODULE), Atom::new("answer"));
        Term::fun(term::Fun::External { module, name, arity: fun.arity })
    }

    fn process(&mut self, number: u32) -> Term {
        Term::pid(Pid(u64::from(number)))
    }

    fn port(&mut self, number: u32) -> Term {
        Term::port(Port(u64::from(number)))
    }

    fn reference(&mut self, number: u32) -> Term {
        Term::reference(Ref(u64::from(number)))
    }
}

/// The module of the library that has the stand-ins.
pub const MODULE: &str = "erlscope_inputs";

/// Funs of more arguments have no code.
pub const MOST_ARGUMENTS: u32 = 20;

/// Nesting of inputs is bounded by memory, not by the thread's stack.
pub(crate) fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, work)
}

impl Input {
    pub const NIL: Input = Input::List(Vec::new(), None);

    pub fn integer(value: impl Into<BigInt>) -> Input {
        Input::Integer(value.into())
    }

    pub fn atom(text: &str) -> Input {
        Input::Atom(Atom::new(text))
    }

    /// `None` for what is no number.
    pub fn float(value: f64) -> Option<Input> {
        Float::new(value).map(Input::Float)
    }

    pub fn binary(bytes: impl Into<Vec<u8>>) -> Input {
        let bytes = bytes.into();
        let len = bytes.len() * 8;
        Input::Bits(BitString::new(bytes, len))
    }

    pub fn list(elements: Vec<Input>) -> Input {
        Input::List(elements, None)
    }

    /// A list that ends in something; as it is written, whatever that is.
    pub fn list_with(mut elements: Vec<Input>, tail: Input) -> Input {
        if elements.is_empty() {
            return tail;
        }
        match tail {
            Input::List(more, tail) => {
                elements.extend(more);
                Input::List(elements, tail)
            }
            other => Input::List(elements, Some(Box::new(other))),
        }
    }

    /// The code points of a text.
    pub fn string(text: &str) -> Input {
        Input::list(text.chars().map(|c| Input::integer(u32::from(c))).collect())
    }

    /// A map; of equal keys the last counts.
    pub fn map(pairs: Vec<(Input, Input)>) -> Input {
        let mut sorted: Vec<(Input, Input)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            match sorted.binary_search_by(|known| known.0.cmp(&key)) {
                Ok(at) => sorted[at].1 = value,
                Err(at) => sorted.insert(at, (key, value)),
            }
        }
        Input::Map(sorted)
    }

    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Input::Integer(value) => value.to_i64(),
            _ => None,
        }
    }

    /// Its parts, in the order in which [`Input::with_parts`] takes them.
    pub fn parts(&self) -> Vec<&Input> {
        match self {
            Input::List(elements, tail) => elements.iter().chain(tail.as_deref()).collect(),
            Input::Tuple(elements) => elements.iter().collect(),
            Input::Map(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
            Input::Fun(fun) => {
                let rows = fun.table.iter().flat_map(|(args, result)| args.iter().chain([result]));
                rows.chain(&fun.others).collect()
            }
            Input::Record(record) => record.fields.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        }
    }

    /// The same value with other parts, as many as it has.
    #[must_use]
    pub fn with_parts(&self, parts: Vec<Input>) -> Input {
        let mut parts = parts.into_iter();
        match self {
            Input::List(elements, tail) => {
                let elements: Vec<Input> = parts.by_ref().take(elements.len()).collect();
                match tail.as_ref().and_then(|_| parts.next()) {
                    Some(tail) => Input::list_with(elements, tail),
                    None => Input::list(elements),
                }
            }
            Input::Tuple(_) => Input::Tuple(parts.collect()),
            Input::Map(_) => {
                let mut pairs = Vec::new();
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    pairs.push((key, value));
                }
                Input::map(pairs)
            }
            Input::Fun(fun) => {
                let mut table: Vec<(Vec<Input>, Input)> = Vec::new();
                for (args, _) in &fun.table {
                    let args: Vec<Input> = parts.by_ref().take(args.len()).collect();
                    let Some(result) = parts.next() else { break };
                    if !table.iter().any(|row| row.0 == args) {
                        table.push((args, result));
                    }
                }
                Input::Fun(Box::new(Fun { arity: fun.arity, table, others: parts.collect() }))
            }
            Input::Record(record) => {
                let names = record.fields.iter().map(|(name, _)| *name);
                let fields = names.zip(parts).collect();
                Input::Record(Box::new(Record { fields, ..(**record).clone() }))
            }
            leaf => leaf.clone(),
        }
    }

    /// How many values there are in it, itself included.
    pub fn size(&self) -> usize {
        deeper(|| 1 + self.parts().into_iter().map(Input::size).sum::<usize>())
    }

    /// Whether there is a fun, process, port or reference in it.
    pub fn is_more_than_data(&self) -> bool {
        match self {
            Input::Fun(_) | Input::Process(_) | Input::Port(_) | Input::Reference(_) => true,
            _ => deeper(|| self.parts().into_iter().any(Input::is_more_than_data)),
        }
    }

    /// Whether there is a fun in it.
    pub fn has_fun(&self) -> bool {
        match self {
            Input::Fun(_) => true,
            _ => deeper(|| self.parts().into_iter().any(Input::has_fun)),
        }
    }

    /// The term that it describes.
    pub fn to_term(&self, maker: &mut dyn Maker) -> Term {
        let mut all = |inputs: &[Input]| -> Vec<Term> {
            inputs.iter().map(|input| deeper(|| input.to_term(maker))).collect()
        };
        match self {
            Input::Integer(value) => Term::big(value.clone()),
            Input::Atom(atom) => Term::from(*atom),
            Input::Float(value) => Term::float(value.value()),
            Input::Bits(bits) => {
                Term::bits(term::Bits::from_bits(bits.bytes().to_vec(), bits.len()))
            }
            Input::List(elements, tail) => {
                let elements = all(elements);
                let tail = tail.as_ref().map_or(Term::NIL, |tail| tail.to_term(maker));
                Term::improper(elements, tail)
            }
            Input::Tuple(elements) => Term::tuple(all(elements)),
            Input::Map(pairs) => {
                let mut map = Map::new();
                for (key, value) in pairs {
                    let (key, value) = deeper(|| (key.to_term(maker), value.to_term(maker)));
                    map.insert(key, value);
                }
                Term::map(map)
            }
            Input::Fun(fun) => {
                let mut table = Vec::with_capacity(fun.table.len());
                for (args, result) in &fun.table {
                    let args = all(args);
                    table.push((args, all(std::slice::from_ref(result)).remove(0)));
                }
                let others = all(&fun.others);
                maker.fun(fun, table, others)
            }
            Input::Process(number) => maker.process(*number),
            Input::Port(number) => maker.port(*number),
            Input::Reference(number) => maker.reference(*number),
            Input::Record(record) => {
                let names = record.fields.iter().map(|(name, _)| *name).collect();
                let values: Vec<Input> =
                    record.fields.iter().map(|(_, value)| value.clone()).collect();
                let shape = term::record::Shape::new(record.module, record.name, true, names);
                let values = term::Tuple::from_iter(all(&values));
                let made = shape.and_then(|shape| term::Record::new(shape.into(), values));
                made.map_or(Term::UNDEFINED, Term::record)
            }
        }
    }

    /// A term that is like it, to be looked at: its funs cannot be called.
    pub fn on_paper(&self) -> Term {
        self.to_term(&mut OnPaper)
    }

    /// Whether it is of a type; a fun is judged by its arity alone.
    pub fn is_of(&self, ty: &Type) -> bool {
        ty.contains(&self.on_paper())
    }
}
