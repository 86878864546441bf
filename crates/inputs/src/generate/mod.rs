//! Values of types.
//!
//! A value is made from the outside to the inside. At each place the kinds of terms that the type
//! has there are *alternatives*; one is chosen by chance among those that can still end in time:
//! depth and number of values are bounded by a size that callers let grow, and [`Ranks`] knows
//! which alternatives need how much depth. What programs like is preferred: borders of ranges and
//! of representations, small numbers, strings among lists, and, unless it is to be blind, the
//! program's own [`Constants`] and patterns.
//!
//! Cost: linear in what is made.

mod compound;
mod known;
mod leaves;
mod template;

pub(crate) use compound::key_input;

use std::fmt;
use std::rc::Rc;

use atom::Atom;
use types::Type;
use types::ty::{Cons, FunType, MapType, Tuples, Union};

use crate::constants::Template;
use crate::input::deeper;
use crate::ranks::{self, Ranks};
use crate::{Constants, Input, Random};

/// A type that has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    pub ty: Type,
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no value of type {}", self.ty)
    }
}

impl std::error::Error for NoValue {}

/// Makes values.
#[derive(Debug)]
pub struct Generator {
    pub random: Random,
    constants: Rc<Constants>,
    ranks: Ranks,
    /// How large numbers and lists become.
    size: u32,
    /// What variables of a pattern stand for while it is filled.
    bound: Vec<(Atom, Input)>,
    /// How many values may still be made before everything is to come to an end.
    fuel: usize,
}

/// Sizes go up to here.
pub const MOST_SIZE: u32 = 100;

/// A kind of term that a type has.
#[derive(Clone, Copy, Debug)]
enum Alternative<'t> {
    Atom,
    Integer,
    Float,
    Bits,
    Process,
    Port,
    Reference,
    Nil,
    Cons(&'t Cons),
    AnyTuple,
    Tuple(&'t [Type]),
    Map(&'t MapType),
    Fun(&'t FunType),
    Record,
}

impl Generator {
    pub fn new(seed: u64, constants: Rc<Constants>) -> Generator {
        let random = Random::new(seed);
        let (ranks, bound) = (Ranks::default(), Vec::new());
        Generator { random, constants, ranks, size: 0, bound, fuel: 0 }
    }

    /// One that knows nothing of a program.
    pub fn blind(seed: u64) -> Generator {
        Generator::new(seed, Rc::new(Constants::none()))
    }

    /// Whether a type has values.
    pub fn has_values(&mut self, ty: &Type) -> bool {
        self.ranks.least(ty).is_some()
    }

    /// A value of a type; the larger the size, the larger it may be.
    pub fn value(&mut self, ty: &Type, size: u32) -> Result<Input, NoValue> {
        let Some(least) = self.ranks.least(ty) else {
            return Err(NoValue { ty: ty.clone() });
        };
        self.size = size.min(MOST_SIZE);
        self.fuel = 8 + 3 * self.size as usize;
        let more = 2 + self.size.checked_ilog2().unwrap_or(0) as usize;
        let depth = least + 2 + self.random.below(more) as u32;
        let template = match self.constants.templates.len() {
            0 => None,
            count if self.random.once_in(3) => Some(self.random.below(count)),
            _ => None,
        };
        if let Some(template) = template
            && let Some(value) = self.by_template(template, ty, depth)
        {
            return Ok(value);
        }
        Ok(self.make(ty, depth))
    }

    /// A value of one of the program's patterns and of a type, if there is one.
    fn by_template(&mut self, template: usize, ty: &Type, depth: u32) -> Option<Input> {
        let constants = Rc::clone(&self.constants);
        let template: &Template = constants.templates.get(template)?;
        self.filled(template, ty, depth)
    }

    /// A value of a type that has some, no deeper than this where that is possible.
    fn make(&mut self, ty: &Type, depth: u32) -> Input {
        self.fuel = self.fuel.saturating_sub(1);
        let depth = depth.max(self.ranks.least(ty).unwrap_or(0));
        if let Some(constant) = self.constant(ty, depth) {
            return constant;
        }
        let templates = self.constants.templates.len();
        if templates > 0 && depth > 0 && self.fuel > 0 && self.random.once_in(5) {
            let template = self.random.below(templates);
            if let Some(value) = self.by_template(template, ty, depth) {
                return value;
            }
        }
        self.make_of(ty.parts(), ty.is_any(), depth, true)
    }

    /// A value of one of the parts of a type; `cells`: it may be a list that is not empty.
    fn make_of(&mut self, parts: &Union, is_any: bool, depth: u32, cells: bool) -> Input {
        let mut choices = self.alternatives(parts, depth);
        if !cells {
            choices.retain(|(choice, _)| !matches!(choice, Alternative::Cons(_)));
        }
        if self.fuel == 0 {
            // Only what ends soonest.
            let least = choices.iter().map(|(_, rank)| *rank).min();
            choices.retain(|(_, rank)| Some(*rank) == least);
        }
        let total: usize = choices.iter().map(|(choice, _)| choice.likelihood(is_any)).sum();
        let mut place = self.random.below(total);
        for (choice, _) in &choices {
            match place.checked_sub(choice.likelihood(is_any)) {
                Some(rest) => place = rest,
                None => return deeper(|| self.make_one(*choice, parts, depth)),
            }
        }
        // Nothing fits, which ranks exclude.
        Input::NIL
    }

    /// The kinds of terms that a type has, as far as they can be made within a depth, each with
    /// the depth that it needs.
    fn alternatives<'t>(&mut self, parts: &'t Union, depth: u32) -> Vec<(Alternative<'t>, u32)> {
        let mut found = Vec::new();
        let leaves = [
            (!parts.atoms.is_none(), Alternative::Atom),
            (!parts.integers.is_none(), Alternative::Integer),
            (parts.floats, Alternative::Float),
            (parts.bits.is_some(), Alternative::Bits),
            (parts.pids, Alternative::Process),
            (parts.ports, Alternative::Port),
            (parts.references, Alternative::Reference),
            (parts.nil, Alternative::Nil),
            (parts.records, Alternative::Record),
        ];
        found.extend(leaves.into_iter().filter(|leaf| leaf.0).map(|leaf| (leaf.1, 0)));
        let mut deep = Vec::new();
        if let Some(cons) = &parts.cons {
            deep.push((Alternative::Cons(cons), self.cons_rank(cons)));
        }
        match &parts.tuples {
            Tuples::All => deep.push((Alternative::AnyTuple, Some(0))),
            Tuples::Some(tuples) => {
                for tuple in tuples {
                    let ranks = tuple.iter().map(|element| self.ranks.least(element));
                    deep.push((Alternative::Tuple(tuple), above(ranks)));
                }
            }
        }
        if let Some(map) = &parts.maps {
            let ranks = ranks::required(map).map(|field| self.ranks.least(&field.value));
            deep.push((Alternative::Map(map), above(ranks)));
        }
        if let Some(fun) = &parts.funs {
            let rank = self.ranks.giving(&fun.result).map_or(0, |rank| rank + 1);
            // Rather one that fails when it is called than none.
            deep.push((Alternative::Fun(fun), Some(rank.min(depth))));
        }
        found.extend(deep.into_iter().filter_map(|(choice, rank)| {
            rank.filter(|&rank| rank <= depth).map(|rank| (choice, rank))
        }));
        found
    }

    fn cons_rank(&mut self, cons: &Cons) -> Option<u32> {
        let tail = match cons.tail.parts().nil {
            true => Some(0),
            false => self.ranks.least(&cons.tail),
        };
        above([self.ranks.least(&cons.head), tail].into_iter())
    }

    fn make_one(&mut self, choice: Alternative<'_>, parts: &Union, depth: u32) -> Input {
        let below = depth.saturating_sub(1);
        match choice {
            Alternative::Atom => self.atom(&parts.atoms),
            Alternative::Integer => self.integer(&parts.integers),
            Alternative::Float => self.float(),
            Alternative::Bits => match parts.bits {
                Some(bits) => self.bits(bits),
                None => Input::binary([]),
            },
            Alternative::Process => Input::Process(self.number()),
            Alternative::Port => Input::Port(self.number()),
            Alternative::Reference => Input::Reference(self.number()),
            Alternative::Nil => Input::NIL,
            Alternative::Record => self.record(below),
            Alternative::Cons(cons) => self.list(cons, below),
            Alternative::AnyTuple => {
                let usual = self.fuel.min(4);
                let count = self.length(usual, usual);
                Input::Tuple((0..count).map(|_| self.make(&Type::Any, below)).collect())
            }
            Alternative::Tuple(elements) => {
                Input::Tuple(elements.iter().map(|element| self.make(element, below)).collect())
            }
            Alternative::Map(map) => self.map(map, below),
            Alternative::Fun(fun) => self.fun(fun, below),
        }
    }

    /// The number of a stand-in: few, so that the same one occurs again.
    fn number(&mut self) -> u32 {
        1 + self.random.below(3) as u32
    }
}

impl Alternative<'_> {
    /// How likely it is, compared with others. In `any()`, what programs use most.
    fn likelihood(&self, is_any: bool) -> usize {
        match self {
            Alternative::Integer | Alternative::Atom if is_any => 8,
            Alternative::Cons(_) => 6,
            Alternative::AnyTuple | Alternative::Bits if is_any => 5,
            Alternative::Map(_) | Alternative::Nil if is_any => 3,
            Alternative::Float if is_any => 3,
            Alternative::Record if is_any => 0,
            Alternative::Nil => 2,
            _ if is_any => 1,
            _ => 4,
        }
    }
}

/// One more than the largest; `None` if one is none.
fn above(ranks: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    let mut largest = None;
    for rank in ranks {
        largest = largest.max(Some(rank?));
    }
    Some(largest.map_or(0, |rank| rank + 1))
}
