//! Which of two inputs is the smaller one.
//!
//! Fewer values first (bits of bit strings counted one by one); of as many, from left to right the
//! simpler one: an integer that is closer to 0, an atom that is shorter, a float that is whole and
//! closer to 0. The order is well-founded: there are finitely many ways to place so many values,
//! and each of them is taken from a set that is well-founded itself (integers by distance from 0,
//! texts by length, floats, which are finitely many). So whoever only goes to smaller inputs comes
//! to an end.

use num_bigint::BigUint;

use crate::Input;
use crate::input::deeper;

/// The place of an input in the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight {
    values: usize,
    keys: Vec<Key>,
}

impl Weight {
    /// How many values there are.
    pub fn values(&self) -> usize {
        self.values
    }
}

/// How simple a value is by itself, its parts left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// Distance from 0, and whether below.
    Integer(BigUint, bool),
    /// Length and text.
    Atom(usize, &'static str),
    Nil,
    /// Whether it is not whole, or too large to be counted; distance from 0; whether below.
    Float(bool, u64, bool),
    Bits(usize, Vec<u8>),
    List,
    Tuple,
    Map,
    Reference(u32),
    Process(u32),
    Port(u32),
    Fun(u32),
    Record(&'static str, &'static str),
}

/// The smaller of two inputs has the smaller weight.
pub fn weight(input: &Input) -> Weight {
    let mut weight = Weight { values: 0, keys: Vec::new() };
    add(input, &mut weight);
    weight
}

fn add(input: &Input, weight: &mut Weight) {
    weight.values += 1;
    weight.keys.push(match input {
        Input::Integer(value) => {
            Key::Integer(value.magnitude().clone(), value.sign() == num_bigint::Sign::Minus)
        }
        Input::Atom(atom) => match atom.as_str() {
            // The simpler one of the two booleans.
            "false" => Key::Atom("true".len(), "false"),
            // Nobody reads it as an atom.
            "" => Key::Atom(usize::MAX, ""),
            text => Key::Atom(text.len(), text),
        },
        Input::Float(float) => {
            let value = float.value();
            let is_odd = value.fract() != 0.0 || value.abs() > WHOLE;
            Key::Float(is_odd, value.abs().to_bits(), value.is_sign_negative())
        }
        Input::Bits(bits) => {
            weight.values += bits.len();
            Key::Bits(bits.len(), bits.bytes().to_vec())
        }
        Input::List(elements, _) if elements.is_empty() => Key::Nil,
        Input::List(..) => Key::List,
        Input::Tuple(_) => Key::Tuple,
        Input::Map(_) => Key::Map,
        Input::Fun(fun) => Key::Fun(fun.arity),
        Input::Process(number) => Key::Process(*number),
        Input::Port(number) => Key::Port(*number),
        Input::Reference(number) => Key::Reference(*number),
        Input::Record(record) => Key::Record(record.module.as_str(), record.name.as_str()),
    });
    for part in input.parts() {
        deeper(|| add(part, weight));
    }
}

/// Floats above are always whole.
const WHOLE: f64 = 9_007_199_254_740_992.0;
