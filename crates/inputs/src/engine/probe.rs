//! What is tried at once with an input that is new: constants of the program, and its own other
//! parts, at each of its places.

use std::collections::VecDeque;

use types::Type;

use crate::positions::{Position, positions};
use crate::{Constants, Input};

/// Places of one input, values of one place, and inputs that wait, at most.
const MOST_PLACES: usize = 24;
const MOST_VALUES: usize = 24;
const MOST_WAITING: usize = 600;

/// Adds inputs to be run.
pub(super) fn probes(
    ty: &Type,
    input: &Input,
    constants: &Constants,
    waiting: &mut VecDeque<(Input, Type)>,
) {
    let all = positions(ty, input);
    // Outer places first: they are fewer, and say more.
    let mut places: Vec<&Position> = all.iter().filter(|place| !place.path.is_empty()).collect();
    places.sort_by_key(|place| place.path.len());
    for place in places.into_iter().take(MOST_PLACES) {
        let Some(old) = input.at(&place.path) else { continue };
        for value in values(old, place, input, &all, constants) {
            if waiting.len() >= MOST_WAITING {
                return;
            }
            let whole = input.with(&place.path, &value);
            if whole != *input && whole.is_of(ty) {
                waiting.push_back((whole, ty.clone()));
            }
        }
    }
}

/// What is tried at a place.
fn values(
    old: &Input,
    place: &Position,
    whole: &Input,
    all: &[Position],
    constants: &Constants,
) -> Vec<Input> {
    let parts = place.ty.parts();
    let mut found: Vec<Input> = Vec::new();
    if matches!(old, Input::Integer(_)) || !parts.integers.is_none() {
        for value in &constants.integers {
            let near = [value.clone(), value + 1, value - 1];
            found.extend(near.into_iter().map(Input::Integer));
        }
    }
    if !parts.atoms.is_none() {
        found.extend(constants.atoms.iter().map(|&atom| Input::Atom(atom)));
    }
    found.extend(constants.values.iter().cloned());
    // What stands elsewhere in the same input.
    let elsewhere = all.iter().filter(|other| other.path != place.path);
    found.extend(elsewhere.filter_map(|other| whole.at(&other.path)).take(8).cloned());
    found.retain(|value| value != old && !value.has_fun() && value.is_of(&place.ty));
    let mut distinct: Vec<Input> = Vec::new();
    for value in found {
        if distinct.len() < MOST_VALUES && !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
