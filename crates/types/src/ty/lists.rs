//! Lists that are not empty: what their elements are, and what is behind the last one.

use super::{Type, Union};

/// A list of one element or more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cons {
    /// Every element.
    pub head: Type,
    /// What is behind the last element: `[]` for proper lists; never a list cell itself.
    pub tail: Type,
}

impl Type {
    /// `[T]`
    pub fn list(element: Type) -> Type {
        if element.is_none() {
            return Type::nil();
        }
        let cons = Some(Cons { head: element, tail: Type::nil() });
        Union { nil: true, cons, ..Union::default() }.into_type()
    }

    /// `[T, ...]`
    pub fn nonempty_list(element: Type) -> Type {
        Type::improper_list(element, Type::nil())
    }

    /// `nonempty_improper_list(T, Tail)`
    pub fn improper_list(element: Type, tail: Type) -> Type {
        Type::cell(&element, &tail)
    }

    /// `[Head | Tail]`
    pub fn cell(head: &Type, tail: &Type) -> Type {
        if head.is_none() || tail.is_none() {
            return Type::None;
        }
        let cons = match &tail.parts().cons {
            Some(cons) => {
                let end = without_cells(tail).join(&cons.tail);
                Cons { head: head.join(&cons.head), tail: end }
            }
            None => Cons { head: head.clone(), tail: tail.clone() },
        };
        Union { cons: Some(cons), ..Union::default() }.into_type()
    }

    /// What `hd/1` gives of its lists.
    pub fn head(&self) -> Type {
        self.parts().cons.as_ref().map_or(Type::None, |cons| cons.head.clone())
    }

    /// What `tl/1` gives of its lists.
    pub fn tail(&self) -> Type {
        match &self.parts().cons {
            Some(cons) => {
                let rest = Union { cons: Some(cons.clone()), ..Union::default() }.into_type();
                rest.join(&cons.tail)
            }
            None => Type::None,
        }
    }

    /// The proper lists of it.
    pub fn proper_lists(&self) -> Type {
        self.meet(&Type::list(Type::Any))
    }

    /// The elements of its lists.
    pub fn elements(&self) -> Type {
        self.head()
    }
}

/// A type without its list cells.
fn without_cells(of: &Type) -> Type {
    let parts = of.parts();
    if parts.cons.is_none() {
        return of.clone();
    }
    if of.is_any() {
        // As the tail of a list it says the same, and is shorter.
        return Type::Any;
    }
    let mut parts = Union::clone(parts);
    parts.cons = None;
    parts.into_type()
}
