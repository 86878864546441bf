//! What is tried at once with an input that is new: constants of the program, and its own other
//! parts, at each of its places.

use std::collections::VecDeque;

use types::Type;

use crate::positions::{Position, positions};
use crate::{Constants, Input, Random};

/// Places of one input, values of one place, and inputs that are tried, at most.
const MOST_PLACES: usize = 24;
const MOST_VALUES: usize = 24;
const MOST_TRIED: usize = 24;
/// Inputs that wait.
const MOST_WAITING: usize = 400;

/// Adds inputs to be run.
pub(super) fn probes(
    ty: &Type,
    input: &Input,
    constants: &Constants,
    random: &mut Random,
    waiting: &mut VecDeque<(Input, Type)>,
) {
    let all = positions(ty, input);
    // Outer places first: they are fewer, and say more.
    let mut places: Vec<&Position> = all.iter().filter(|place| !place.path.is_empty()).collect();
    places.sort_by_key(|place| place.path.len());
    let mut candidates = Vec::new();
    for place in places.into_iter().take(MOST_PLACES) {
        let Some(old) = input.at(&place.path) else { continue };
        let values = values(old, place, input, &all, constants);
        candidates.extend(values.into_iter().map(|value| (place, value)));
    }
    for _ in 0..MOST_TRIED.min(candidates.len()) {
        let (place, value) = candidates.swap_remove(random.below(candidates.len()));
        let whole = input.with(&place.path, &value);
        if whole != *input && whole.is_of(ty) {
            // What is new comes first.
            waiting.push_front((whole, ty.clone()));
        }
    }
    waiting.truncate(MOST_WAITING);
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
