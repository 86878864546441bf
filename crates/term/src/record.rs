//! Native records (EEP 79, OTP 29): values with named fields that belong to a module.
//!
//! A value holds its [`Shape`], the definition as it was when the value was made: whose record it
//! is, what it is called, whether other modules may look inside, and the names of its fields in the
//! order of the definition. All values made from one definition share one shape. Fields are found
//! by looking through the names, which are few.
//!
//! The meaning follows EEP 79, the reference manual of OTP 29 ("Native Records") and the
//! documentation of its module `records`. What those leave open, and what is done here:
//! * hash values (`phash2` and that of tables) are only said to be equal for equal values: all that
//!   makes values equal is mixed, in the order in which they are compared;
//! * fields are compared in the order of the definition, numbers in them as `==` or `=:=` asks;
//! * names are written as atoms are, with quotes where an atom has them.

use std::rc::Rc;

use crate::{Atom, Term, Tuple};

/// The definition that a value was made from. The derived order is that of the language: module,
/// name, visibility, number of fields, names of fields.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape {
    pub module: Atom,
    pub name: Atom,
    pub exported: bool,
    fields: Fields,
}

/// Compared by number first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Fields {
    count: usize,
    names: Box<[Atom]>,
}

impl Shape {
    /// `None` if a field is named twice.
    pub fn new(module: Atom, name: Atom, exported: bool, fields: Vec<Atom>) -> Option<Shape> {
        let mut sorted: Vec<u32> = fields.iter().map(|field| field.index()).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let fields = Fields { count: fields.len(), names: fields.into() };
        Some(Shape { module, name, exported, fields })
    }

    /// The names of the fields, in the order of the definition.
    pub fn fields(&self) -> &[Atom] {
        &self.fields.names
    }

    /// Where a field is.
    pub fn position(&self, field: Atom) -> Option<usize> {
        self.fields.names.iter().position(|name| *name == field)
    }

    /// The same record as other modules may use it.
    pub fn into_exported(self) -> Shape {
        Shape { exported: true, ..self }
    }

    /// What an exception names the record by.
    pub fn id(&self) -> Term {
        Term::tuple([Term::from(self.module), Term::from(self.name)])
    }
}

/// The value of a native record.
#[derive(Clone, Debug)]
pub struct Record {
    shape: Rc<Shape>,
    values: Tuple,
}

impl Record {
    /// `None` unless there is a value for every field.
    pub fn new(shape: Rc<Shape>, values: Tuple) -> Option<Record> {
        (shape.fields().len() == values.len()).then_some(Record { shape, values })
    }

    pub fn shape(&self) -> &Rc<Shape> {
        &self.shape
    }

    /// The fields, in the order of the definition.
    pub fn values(&self) -> &[Term] {
        &self.values
    }

    /// The fields, to be changed: in place if nobody else holds the record.
    pub fn values_mut(&mut self) -> &mut [Term] {
        self.values.make_mut()
    }

    pub fn get(&self, field: Atom) -> Option<&Term> {
        self.shape.position(field).map(|at| &self.values[at])
    }
}
