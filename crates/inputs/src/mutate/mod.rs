//! Inputs that are like others: a part is changed, by the type of its place.
//!
//! A mutation chooses a place and puts something else there: a fresh value, a constant of the
//! program, a part of another input that was kept, another part of the same input (programs ask
//! whether two things are equal), or the same value changed a little. The result is of the same
//! type.

mod change;

use types::Type;

use crate::positions::{Position, positions};
use crate::{Generator, Input};

/// Tries before a mutation is given up.
const TRIES: usize = 12;

impl Generator {
    /// An input of a type that differs from another one. `others`: inputs to take parts of.
    pub fn mutated(&mut self, ty: &Type, input: &Input, others: &[&Input]) -> Input {
        // Mostly one change, sometimes several.
        let mut changes = 1;
        while changes < 6 && self.random.once_in(3) {
            changes += 1;
        }
        let mut current = input.clone();
        for _ in 0..changes {
            current = self.changed_once(ty, &current, others);
        }
        current
    }

    fn changed_once(&mut self, ty: &Type, input: &Input, others: &[&Input]) -> Input {
        let all = positions(ty, input);
        for _ in 0..TRIES {
            let Some(position) = self.random.choose(&all) else { break };
            let Some(old) = input.at(&position.path) else { continue };
            let Some(new) = self.another(position, old, input, others, &all) else { continue };
            if new == *old || !new.is_of(&position.ty) {
                continue;
            }
            let whole = input.with(&position.path, &new);
            if whole != *input && whole.size() <= MOST_VALUES && whole.is_of(ty) {
                return whole;
            }
        }
        input.clone()
    }

    /// Something else for a place.
    fn another(
        &mut self,
        position: &Position,
        old: &Input,
        whole: &Input,
        others: &[&Input],
        all: &[Position],
    ) -> Option<Input> {
        let ty = &position.ty;
        match self.random.below(10) {
            0 => {
                let size = 1 + self.random.below(40) as u32;
                self.value(ty, size).ok()
            }
            1 => self.known(ty),
            // A part of this input, or of another one.
            2 => {
                let from = self.random.choose(all)?;
                whole.at(&from.path).filter(|part| !part.has_fun()).cloned()
            }
            3 => {
                let other = *self.random.choose(others)?;
                let part = self.some_part(other);
                (!part.has_fun()).then(|| part.clone())
            }
            _ => self.nudged(ty, old),
        }
    }

    /// A part of an input, or all of it.
    fn some_part<'i>(&mut self, input: &'i Input) -> &'i Input {
        let mut part = input;
        loop {
            let parts = part.parts();
            if parts.is_empty() || self.random.once_in(3) {
                return part;
            }
            part = parts[self.random.below(parts.len())];
        }
    }
}

/// Inputs do not grow beyond so many values.
const MOST_VALUES: usize = 2000;
