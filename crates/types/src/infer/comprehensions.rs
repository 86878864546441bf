//! Comprehensions: their generators and filters, and what they give.
//!
//! What a comprehension does is followed once, for elements that get through to its body; nothing
//! of it holds afterwards but what its first source must be, which is looked at whatever it holds.

use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList};

use super::body::Body;
use super::finding::Why;
use super::solver::{Alive, Dead, ValueId};
use crate::ty::{MapType, Type};

impl Body<'_> {
    pub(super) fn comprehension(
        &mut self,
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
    ) -> Alive<ValueId> {
        let qualifiers = self.list(qualifiers);
        // The first source is looked at once, whatever it holds.
        let first = match qualifiers.first().map(|&first| (first, self.tree().kind(first))) {
            Some((node, Kind::Generator { which, source, .. })) => {
                let source = self.eval(source)?;
                self.narrow_source(which, source)?;
                Some((node, source))
            }
            _ => None,
        };
        let ty = self.aside(|this| {
            let values = this.qualified(qualifiers, first, exprs);
            let values = values.map(|values| this.element_types(&values));
            comprehended(which, values.ok())
        });
        Ok(self.solver.value(ty))
    }

    fn element_types(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|&value| self.solver.ty(value).clone()).collect()
    }

    /// The values that a comprehension's body gives, for elements that get there.
    fn qualified(
        &mut self,
        qualifiers: &[NodeId],
        first: Option<(NodeId, ValueId)>,
        exprs: NodeList,
    ) -> Alive<Vec<ValueId>> {
        for &qualifier in qualifiers {
            match self.tree().kind(qualifier) {
                Kind::Generator { .. } => self.generator(qualifier, first)?,
                Kind::ZipGenerator { generators } => {
                    for &generator in self.list(generators) {
                        self.generator(generator, first)?;
                    }
                }
                _ => {
                    let value = self.eval(qualifier)?;
                    self.solver.narrow(value, &Type::the_boolean(true))?;
                }
            }
        }
        let mut values = Vec::new();
        for &expression in self.list(exprs) {
            match self.tree().kind(expression) {
                Kind::MapField { key, value, .. } => {
                    values.push(self.eval(key)?);
                    values.push(self.eval(value)?);
                }
                _ => values.push(self.eval(expression)?),
            }
        }
        Ok(values)
    }

    fn narrow_source(&mut self, which: GeneratorKind, source: ValueId) -> Alive {
        match which {
            GeneratorKind::List => self.solver.narrow(source, &Type::list(Type::Any)),
            GeneratorKind::Binary => self.solver.narrow(source, &Type::bitstring()),
            // An iterator may be given, too.
            GeneratorKind::Map | GeneratorKind::Value => Ok(()),
        }
    }

    fn generator(&mut self, node: NodeId, first: Option<(NodeId, ValueId)>) -> Alive {
        let Kind::Generator { which, pattern, source, .. } = self.tree().kind(node) else {
            return Ok(());
        };
        let source = match first {
            Some((of, value)) if of == node => value,
            _ => {
                let source = self.eval(source)?;
                self.narrow_source(which, source)?;
                source
            }
        };
        self.shadow_pattern(pattern);
        match which {
            GeneratorKind::List => {
                let element = self.solver.ty(source).elements();
                if element.is_none() {
                    return Err(Dead);
                }
                let element = self.solver.value(element);
                let before = self.known(&[element]);
                let result = self.pattern(pattern, element);
                if result.is_err() {
                    let values = before.iter().map(|known| known.ty.clone()).collect();
                    self.note(pattern, &before, Why::Clause { values, guard: false });
                }
                result
            }
            GeneratorKind::Binary => {
                let part = self.solver.value(Type::bitstring());
                self.pattern(pattern, part)
            }
            GeneratorKind::Map => {
                let (key, value) = match &self.solver.ty(source).parts().maps {
                    Some(map) if !self.solver.ty(source).is_any() => map.keys_and_values(),
                    _ => (Type::Any, Type::Any),
                };
                let Kind::MapField { key: keys, value: values, .. } = self.tree().kind(pattern)
                else {
                    return Ok(());
                };
                if key.is_none() || value.is_none() {
                    return Err(Dead);
                }
                let (key, value) = (self.solver.value(key), self.solver.value(value));
                self.pattern(keys, key)?;
                self.pattern(values, value)
            }
            GeneratorKind::Value => self.pattern(pattern, source),
        }
    }
}

/// What a comprehension gives whose body gives such values; none if it is never reached.
fn comprehended(which: ComprehensionKind, values: Option<Vec<Type>>) -> Type {
    match (which, values) {
        (ComprehensionKind::List, Some(values)) => {
            Type::list(values.iter().fold(Type::None, |joined, value| joined.join(value)))
        }
        (ComprehensionKind::List, None) => Type::nil(),
        (ComprehensionKind::Binary, Some(values)) => {
            let sizes = values.iter().fold(None, |joined: Option<u32>, value| {
                let bits = value.parts().bits?;
                let all = Type::bits(bits.unit, 0).join(&Type::bits(bits.base, 0));
                let unit = all.parts().bits.map_or(1, |bits| bits.unit);
                Some(match joined {
                    Some(before) => {
                        let both = Type::bits(before, 0).join(&Type::bits(unit, 0));
                        both.parts().bits.map_or(1, |bits| bits.unit)
                    }
                    None => unit,
                })
            });
            Type::bits(sizes.unwrap_or(1), 0)
        }
        (ComprehensionKind::Binary, None) => Type::bits(0, 0),
        (ComprehensionKind::Map, Some(values)) => {
            let mut map = MapType::empty();
            for pair in values.chunks(2) {
                if let [key, value] = pair {
                    map.other_keys = map.other_keys.join(key);
                    map.other_values = map.other_values.join(value);
                }
            }
            Type::map(map)
        }
        (ComprehensionKind::Map, None) => Type::map(MapType::empty()),
    }
}
