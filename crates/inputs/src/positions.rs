//! Places in an input, each with the type of what may stand there.

use types::Type;
use types::ty::Tuples;

use crate::Input;
use crate::generate::key_input;
use crate::input::deeper;

/// A place: from the whole to the part, and what may stand there.
#[derive(Clone, Debug)]
pub struct Position {
    /// Places among [`Input::parts`].
    pub path: Vec<u32>,
    pub ty: Type,
}

/// Every place in a value of a type, the whole first, parts behind what they are parts of.
pub fn positions(ty: &Type, input: &Input) -> Vec<Position> {
    let mut found = Vec::new();
    gather(ty.clone(), input, &mut Vec::new(), &mut found);
    found
}

fn gather(ty: Type, input: &Input, path: &mut Vec<u32>, found: &mut Vec<Position>) {
    let types = part_types(&ty, input);
    found.push(Position { path: path.clone(), ty });
    for (place, (part, ty)) in input.parts().into_iter().zip(types).enumerate() {
        path.push(place as u32);
        deeper(|| gather(ty, part, path, found));
        path.pop();
    }
}

/// The types of the parts of a value of a type, in the order of [`Input::parts`].
pub fn part_types(ty: &Type, input: &Input) -> Vec<Type> {
    let parts = ty.parts();
    match input {
        Input::List(elements, tail) => {
            let (head, end) = match &parts.cons {
                Some(cons) => (cons.head.clone(), cons.tail.clone()),
                None => (Type::Any, Type::Any),
            };
            let mut types = vec![head; elements.len()];
            types.extend(tail.as_ref().map(|_| end));
            types
        }
        Input::Tuple(elements) => tuple_types(&parts.tuples, elements),
        Input::Map(pairs) => match &parts.maps {
            None => vec![Type::Any; 2 * pairs.len()],
            Some(map) => pairs
                .iter()
                .flat_map(|(key, _)| {
                    let field = map.fields.iter().find(|field| key_input(field.key) == *key);
                    match field {
                        Some(field) => [field.key.to_type(), field.value.clone()],
                        None => [map.other_keys.clone(), map.other_values.clone()],
                    }
                })
                .collect(),
        },
        Input::Fun(fun) => {
            let (args, result) = match &parts.funs {
                Some(of) => (of.args.clone(), of.result.clone()),
                None => (None, Type::Any),
            };
            let args = match args {
                Some(args) if args.len() == fun.arity as usize => args.to_vec(),
                _ => vec![Type::Any; fun.arity as usize],
            };
            let mut types = Vec::new();
            for _ in &fun.table {
                types.extend(args.iter().cloned().chain([result.clone()]));
            }
            types.extend(fun.others.iter().map(|_| result.clone()));
            types
        }
        Input::Record(record) => vec![Type::Any; record.fields.len()],
        _ => Vec::new(),
    }
}

/// The elements of the tuple type that a tuple is of.
fn tuple_types(tuples: &Tuples, elements: &[Input]) -> Vec<Type> {
    let Some(same_size) = tuples.of_size(elements.len()) else {
        return vec![Type::Any; elements.len()];
    };
    let same_size: Vec<&[Type]> = same_size.collect();
    let fits =
        |types: &&&[Type]| elements.iter().zip(types.iter()).all(|(element, ty)| element.is_of(ty));
    match &same_size[..] {
        [only] => only.to_vec(),
        several => match several.iter().find(fits) {
            Some(types) => types.to_vec(),
            None => vec![Type::Any; elements.len()],
        },
    }
}

impl Input {
    /// What stands at a place.
    pub fn at(&self, path: &[u32]) -> Option<&Input> {
        path.iter().try_fold(self, |input, &place| input.parts().get(place as usize).copied())
    }

    /// The value with another part at a place.
    #[must_use]
    pub fn with(&self, path: &[u32], part: &Input) -> Input {
        let Some((&place, rest)) = path.split_first() else { return part.clone() };
        let parts = self.parts().into_iter().enumerate().map(|(at, old)| {
            if at == place as usize { deeper(|| old.with(rest, part)) } else { old.clone() }
        });
        self.with_parts(parts.collect())
    }
}
