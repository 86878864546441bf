//! Putting types in for variables.

use atom::Atom;

use super::Type;

impl Type {
    /// The type with what `of` says in place of its variables.
    pub fn with_variables(&self, of: &impl Fn(Atom) -> Type) -> Type {
        match self {
            Type::Var(name) => of(*name),
            Type::Union(union) if self.has_variables() => {
                union.map_inner(|inner| inner.with_variables(of)).into_type()
            }
            Type::Named(named) if self.has_variables() => {
                named.map(|inner| inner.with_variables(of))
            }
            other => other.clone(),
        }
    }

    /// Whether there is a variable in it.
    pub fn has_variables(&self) -> bool {
        match self {
            Type::Var(_) => true,
            Type::None | Type::Any => false,
            Type::Named(named) => named.inner().iter().any(Type::has_variables),
            Type::Union(node) => node.has_variables(),
        }
    }
}

impl super::Union {
    /// Calls `look` with every type that is inside.
    pub fn for_each_inner(&self, mut look: impl FnMut(&Type)) {
        if let Some(cons) = &self.cons {
            look(&cons.head);
            look(&cons.tail);
        }
        if let super::Tuples::Some(tuples) = &self.tuples {
            tuples.iter().flat_map(|tuple| tuple.iter()).for_each(&mut look);
        }
        if let Some(map) = &self.maps {
            map.fields.iter().map(|field| &field.value).for_each(&mut look);
            look(&map.other_keys);
            look(&map.other_values);
        }
        if let Some(fun) = &self.funs {
            fun.args.iter().flatten().for_each(&mut look);
            look(&fun.result);
        }
    }
}
