//! What the program knows itself, for a type.

use std::rc::Rc;

use num_bigint::BigInt;
use types::Type;

use super::Generator;
use crate::Input;

/// How many constants are looked at before none is given.
const TRIES: usize = 6;

impl Generator {
    /// A constant or pattern of the program that is of a type.
    pub(crate) fn known(&mut self, ty: &Type) -> Option<Input> {
        let constants = Rc::clone(&self.constants);
        self.fuel = 40;
        for _ in 0..TRIES {
            let found = match self.random.below(6) {
                0 => self.random.choose(&constants.atoms).map(|&atom| Input::Atom(atom)),
                1 => self.known_integer().map(Input::Integer),
                2 => self.random.choose(&constants.values).cloned(),
                _ => {
                    let template = self.random.choose(&constants.templates);
                    template.and_then(|template| self.filled(template, ty, 3))
                }
            };
            if let Some(found) = found.filter(|found| found.is_of(ty)) {
                return Some(found);
            }
        }
        None
    }

    /// An integer of the program.
    pub(crate) fn known_integer(&mut self) -> Option<BigInt> {
        let constants = Rc::clone(&self.constants);
        let known = self.random.choose(&constants.integers)?;
        Some(match self.random.below(6) {
            0 => known + 1,
            1 => known - 1,
            _ => known.clone(),
        })
    }

    /// Bytes of a binary or string of the program.
    pub(crate) fn known_bytes(&mut self) -> Option<Vec<u8>> {
        let constants = Rc::clone(&self.constants);
        match self.random.choose(&constants.values)? {
            Input::Bits(bits) if bits.len().is_multiple_of(8) => Some(bits.bytes().to_vec()),
            Input::List(elements, None) => {
                let bytes = elements.iter().map(|element| u8::try_from(element.as_i64()?).ok());
                bytes.collect()
            }
            _ => None,
        }
    }
}
