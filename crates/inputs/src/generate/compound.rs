//! Values with parts: lists, maps, funs, native records.

use std::rc::Rc;

use atom::Atom;
use types::Type;
use types::ty::{Cons, FunType, Key, MapType, Presence};

use super::Generator;
use super::leaves::LONG;
use crate::Input;
use crate::input::{Fun, MOST_ARGUMENTS, Record};

impl Generator {
    /// A list that is not empty.
    pub(super) fn list(&mut self, cons: &Cons, depth: u32) -> Input {
        let usual = (self.size as usize / 2).min(self.fuel);
        let count = self.length(usual, self.fuel.min(LONG)).max(1);
        // Of characters mostly text.
        let once_in = if cons.head.parts().integers.high() == Some(0x10_FFFF) { 2 } else { 3 };
        let is_text =
            cons.head.parts().integers.contains(i64::from(b'a')) && self.random.once_in(once_in);
        let mut elements: Vec<Input> = Vec::with_capacity(count);
        for place in 0..count {
            if is_text {
                elements.push(Input::integer(self.byte(true)));
            } else if place > 0 && self.random.once_in(8) {
                // Programs ask whether elements are equal.
                let again = elements[self.random.below(place)].clone();
                elements.push(again);
            } else {
                elements.push(self.make(&cons.head, depth));
            }
        }
        // Text may have characters that the type has not.
        if is_text && !elements.iter().all(|element| element.is_of(&cons.head)) {
            elements = vec![self.make(&cons.head, depth)];
        }
        let tail = self.tail(&cons.tail, depth);
        Input::list_with(elements, tail)
    }

    /// What is behind the last element: not a list that is not empty.
    pub(super) fn tail(&mut self, ty: &Type, depth: u32) -> Input {
        let parts = ty.parts();
        if parts.nil && !self.random.once_in(8) {
            return Input::NIL;
        }
        let depth = depth.max(self.ranks.least(ty).unwrap_or(0));
        self.make_of(parts, ty.is_any(), depth, false)
    }

    pub(super) fn map(&mut self, map: &MapType, depth: u32) -> Input {
        let mut pairs: Vec<(Input, Input)> = Vec::new();
        for field in &map.fields {
            let can_be = self.ranks.least(&field.value).is_some_and(|rank| rank <= depth);
            let is_there = match field.presence {
                Presence::Required => true,
                Presence::Optional => can_be && self.fuel > 0 && self.random.once_in(2),
            };
            if is_there {
                let value = self.make(&field.value, depth);
                pairs.push((key_input(field.key), value));
            }
        }
        let fits = |rank: Option<u32>| rank.is_some_and(|rank| rank <= depth);
        if fits(self.ranks.least(&map.other_keys)) && fits(self.ranks.least(&map.other_values)) {
            let usual = (self.size as usize / 4).min(self.fuel);
            let count = self.length(usual, usual);
            for _ in 0..count {
                let key = self.make(&map.other_keys, depth);
                let is_field = map.fields.iter().any(|field| key_input(field.key) == key);
                if !is_field {
                    let value = self.make(&map.other_values, depth);
                    pairs.push((key, value));
                }
            }
        }
        Input::map(pairs)
    }

    pub(super) fn fun(&mut self, fun: &FunType, depth: u32) -> Input {
        let (arity, args) = match &fun.args {
            Some(args) => (args.len() as u32, Some(args)),
            None => (self.random.below(4).min(MOST_ARGUMENTS as usize) as u32, None),
        };
        let gives = self.ranks.giving(&fun.result).is_some_and(|rank| rank <= depth);
        // Where funs give funs for ever, those that are too deep fail.
        let for_now = depth > 0 && self.ranks.least(&fun.result).is_some_and(|rank| rank <= depth);
        if !gives && !for_now {
            return Input::Fun(Box::new(Fun { arity, table: Vec::new(), others: Vec::new() }));
        }
        let count = if arity == 0 { 1 } else { 1 + self.random.below(3) };
        let mut others: Vec<Input> = Vec::new();
        for _ in 0..count {
            let other = self.make(&fun.result, depth);
            if !others.contains(&other) {
                others.push(other);
            }
        }
        let rows = if arity == 0 { 0 } else { self.random.below(3) };
        let mut table: Vec<(Vec<Input>, Input)> = Vec::new();
        for _ in 0..rows {
            let can_be = |ranks: &mut crate::ranks::Ranks, arg: &Type| {
                ranks.least(arg).is_some_and(|rank| rank <= depth)
            };
            if args.is_some_and(|args| !args.iter().all(|arg| can_be(&mut self.ranks, arg))) {
                break;
            }
            let given: Vec<Input> = (0..arity as usize)
                .map(|place| self.make(args.map_or(&Type::Any, |args| &args[place]), depth))
                .collect();
            // Only data can be compared with what the fun is given.
            let is_data = !given.iter().any(Input::is_more_than_data);
            if is_data && !table.iter().any(|row| row.0 == given) {
                table.push((given, self.make(&fun.result, depth)));
            }
        }
        Input::Fun(Box::new(Fun { arity, table, others }))
    }

    /// A native record of the program; a made up one if there is none.
    pub(super) fn record(&mut self, depth: u32) -> Input {
        let constants = Rc::clone(&self.constants);
        let Some(known) = self.random.choose(&constants.records) else {
            let (module, name) = (Atom::new("m"), Atom::new("r"));
            return Input::Record(Box::new(Record { module, name, fields: Vec::new() }));
        };
        let fields = known.fields.iter();
        let fields = fields.map(|(name, _)| (*name, self.make(&Type::Any, depth))).collect();
        Input::Record(Box::new(Record { fields, ..known.clone() }))
    }
}

pub(crate) fn key_input(key: Key) -> Input {
    match key {
        Key::Integer(value) => Input::integer(value),
        Key::Atom(atom) => Input::Atom(atom),
    }
}
