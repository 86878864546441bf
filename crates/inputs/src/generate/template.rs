//! Values of a type that a pattern of the program takes: what the pattern says stays, its holes are
//! filled by type.

use types::Type;
use types::ty::{Cons, Tuples};

use super::Generator;
use crate::Input;
use crate::constants::Template;
use crate::generate::key_input;
use crate::input::{BitString, deeper};

impl Generator {
    /// A value of a type that fits a pattern, if the two go together.
    pub(crate) fn filled(&mut self, template: &Template, ty: &Type, depth: u32) -> Option<Input> {
        // It may be part of another one that is being filled.
        let outer = std::mem::take(&mut self.bound);
        let found = self.fill(template, ty, depth);
        self.bound = outer;
        found
    }

    fn fill(&mut self, template: &Template, ty: &Type, depth: u32) -> Option<Input> {
        self.fuel = self.fuel.saturating_sub(1);
        match template {
            Template::Hole => self.ranks.least(ty).map(|_| self.make(ty, depth)),
            Template::Variable(name) => {
                if let Some((_, value)) = self.bound.iter().find(|bound| bound.0 == *name) {
                    return value.is_of(ty).then(|| value.clone());
                }
                let value = self.ranks.least(ty).map(|_| self.make(ty, depth))?;
                self.bound.push((*name, value.clone()));
                Some(value)
            }
            Template::Value(value) => value.is_of(ty).then(|| value.clone()),
            Template::Tuple(elements) => self.fill_tuple(elements, ty, depth.saturating_sub(1)),
            Template::List(elements, tail) => {
                let cons = ty.parts().cons.as_ref()?;
                deeper(|| self.fill_list(elements, tail, cons, depth.saturating_sub(1)))
            }
            Template::Map(fields) => self.fill_map(fields, ty, depth.saturating_sub(1)),
            Template::Prefix(prefix) => {
                let sizes = ty.parts().bits?;
                let Input::Bits(made) = self.bits(sizes) else { return None };
                let (mut bytes, len) = (made.bytes().to_vec(), made.len());
                let unit = match sizes.unit as usize {
                    0 => 1,
                    unit => unit,
                };
                // Longer, in steps that the type allows.
                let lacks = (prefix.len() * 8).saturating_sub(len).div_ceil(unit) * unit;
                let len = len + lacks;
                bytes.resize(len.div_ceil(8), 0);
                bytes[..prefix.len().min(len / 8)]
                    .copy_from_slice(&prefix[..prefix.len().min(len / 8)]);
                sizes.contains(len as u64).then(|| Input::Bits(BitString::new(bytes, len)))
            }
        }
    }

    fn fill_tuple(&mut self, elements: &[Template], ty: &Type, depth: u32) -> Option<Input> {
        let any = vec![Type::Any; elements.len()];
        let candidates: Vec<&[Type]> = match &ty.parts().tuples {
            Tuples::All => vec![&any],
            some => some.of_size(elements.len())?.collect(),
        };
        candidates.into_iter().find_map(|types| {
            let parts = elements.iter().zip(types);
            let parts = parts.map(|(element, ty)| deeper(|| self.fill(element, ty, depth)));
            parts.collect::<Option<_>>().map(Input::Tuple)
        })
    }

    fn fill_list(
        &mut self,
        elements: &[Template],
        tail: &Template,
        cons: &Cons,
        depth: u32,
    ) -> Option<Input> {
        let elements = elements.iter().map(|element| self.fill(element, &cons.head, depth));
        let elements: Vec<Input> = elements.collect::<Option<_>>()?;
        let tail = match tail {
            Template::Value(Input::List(more, None)) if more.is_empty() => {
                cons.tail.parts().nil.then_some(Input::NIL)?
            }
            Template::Hole | Template::Variable(_) if self.random.once_in(2) => {
                self.list(cons, depth)
            }
            Template::List(more, tail) => self.fill_list(more, tail, cons, depth)?,
            _ => self.tail(&cons.tail, depth),
        };
        Some(Input::list_with(elements, tail))
    }

    fn fill_map(&mut self, fields: &[(Input, Template)], ty: &Type, depth: u32) -> Option<Input> {
        let map = ty.parts().maps.as_ref()?;
        let required = crate::ranks::required(map);
        for field in required {
            self.ranks.least(&field.value).filter(|&rank| rank <= depth)?;
        }
        let Input::Map(mut pairs) = self.map(map, depth) else { return None };
        for (key, template) in fields {
            let known = map.fields.iter().find(|field| key_input(field.key) == *key);
            let of = match known {
                Some(field) => &field.value,
                None if key.is_of(&map.other_keys) => &map.other_values,
                None => return None,
            };
            let value = deeper(|| self.fill(template, of, depth))?;
            pairs.push((key.clone(), value));
        }
        Some(Input::map(pairs))
    }
}
