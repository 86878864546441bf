//! Types without their own repetition, for people.
//!
//! The type of a tree, as it is inferred, is unrolled as deep as types go: nodes of nodes of nodes.
//! Where a structure is inside of itself again and again, the inner ones are shown as `any()`. A
//! structure is known again by its *shape*: a tuple by its size and tag, a map by its keys, a list.
//! That is wider than what was inferred, so it still holds; nothing is computed with it.

use atom::Atom;

use super::{Key, Tuples, Type, Union};

/// How often a shape has to be inside of itself to be a repetition. Tables are lists of lists of
/// texts.
const TUPLES: u32 = 3;
const MAPS: u32 = 3;
const LISTS: u32 = 4;

#[derive(Clone, PartialEq, Eq)]
enum Shape {
    List,
    Tuple(usize, Option<Atom>),
    Map(Vec<Key>),
}

impl Shape {
    fn of_tuple(elements: &[Type]) -> Shape {
        Shape::Tuple(elements.len(), elements.first().and_then(Type::single_atom))
    }

    fn enough(&self) -> u32 {
        match self {
            Shape::List => LISTS,
            Shape::Tuple(..) => TUPLES,
            Shape::Map(_) => MAPS,
        }
    }
}

impl Type {
    /// Where a structure repeats itself, the structure once.
    pub fn abridged(&self) -> Type {
        match self {
            Type::Union(union) => union.abridged().map_inner(Type::abridged).into_type(),
            other => other.clone(),
        }
    }

    /// How often a shape is inside of itself here.
    fn nesting(&self, shape: &Shape) -> u32 {
        let Type::Union(union) = self else { return 0 };
        let mut most = 0;
        union.for_each_inner(|inner| most = most.max(inner.nesting(shape)));
        most + u32::from(union.shapes().contains(shape))
    }

    /// What is above of a shape: anything in the place of what has it.
    fn above(&self, shape: &Shape) -> Type {
        match self {
            Type::Union(union) if union.shapes().contains(shape) => Type::Any,
            Type::Union(union) => union.map_inner(|inner| inner.above(shape)).into_type(),
            other => other.clone(),
        }
    }
}

impl Union {
    fn shapes(&self) -> Vec<Shape> {
        let mut shapes = Vec::new();
        shapes.extend(self.cons.as_ref().map(|_| Shape::List));
        if let Tuples::Some(tuples) = &self.tuples {
            shapes.extend(tuples.iter().map(|tuple| Shape::of_tuple(tuple)));
        }
        let keys = |map: &super::MapType| map.fields.iter().map(|field| field.key).collect();
        shapes.extend(self.maps.as_ref().map(|map| Shape::Map(keys(map))));
        shapes
    }

    /// Its own structures without those of the same shape in them, where they are repetitions.
    fn abridged(&self) -> Union {
        let mut parts = self.clone();
        for shape in self.shapes() {
            let mut most = 0;
            self.for_each_inner(|inner| most = most.max(inner.nesting(&shape)));
            if most + 1 >= shape.enough() {
                parts = parts.map_inner(|inner| inner.above(&shape));
            }
        }
        parts
    }
}
