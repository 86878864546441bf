//! Kinds of exceptions: those that operations throw, and one for each class of the program that is
//! one, as bits.
//!
//! What is not known is all that it could be: a `catch` of a class that is not part of the program
//! may take whatever is not surely something else.

use atom::Atom;
use java::names::{ClassId, Symbol};
use java::tree::{Kind, NodeId};
use std::collections::BTreeMap;

use super::Lower;
use crate::ir::Kinds;
use crate::program::{Program, last_name};

pub(crate) const NULL: Kinds = 1;
pub(crate) const ARITHMETIC: Kinds = 1 << 1;
pub(crate) const INDEX: Kinds = 1 << 2;
pub(crate) const CAST: Kinds = 1 << 3;
pub(crate) const SIZE: Kinds = 1 << 4;
const RUNTIME: Kinds = 1 << 5;
pub(crate) const ERROR: Kinds = 1 << 6;
const CHECKED: Kinds = 1 << 7;
const FIRST_OWN: u32 = 8;
pub(crate) const ALL: Kinds = Kinds::MAX;
/// What code that is not part of the program throws.
pub(crate) const FOREIGN: Kinds = (1 << FIRST_OWN) - 1;
const UNCHECKED: Kinds = NULL | ARITHMETIC | INDEX | CAST | SIZE | RUNTIME;
const OWN: Kinds = ALL & !FOREIGN;

/// The bits of classes.
#[derive(Debug, Default)]
pub(crate) struct KindTable {
    own: BTreeMap<ClassId, Kinds>,
}

impl KindTable {
    pub(crate) fn new(program: &Program) -> KindTable {
        let mut own = BTreeMap::new();
        let mut next = FIRST_OWN;
        for class in program.classes() {
            let is_exception = program.lineage(class).iter().any(|&above| {
                program.foreign(above).iter().any(|name| is_exception_name(name.as_str()))
            });
            if is_exception {
                own.insert(class, 1 << next);
                next = (next + 1).min(Kinds::BITS - 1);
            }
        }
        KindTable { own }
    }

    /// What an exception of a class of the program is.
    fn thrown(&self, class: ClassId) -> Kinds {
        self.own.get(&class).copied().unwrap_or(ALL)
    }

    /// What a `catch` of a class of the program takes, perhaps and surely.
    fn caught(&self, program: &Program, class: ClassId) -> (Kinds, Kinds) {
        let mut may = 0;
        let mut others = 0;
        for (&own, &bit) in &self.own {
            if program.is_subclass(own, class) { may |= bit } else { others |= bit }
        }
        (may, may & !others)
    }
}

fn is_exception_name(name: &str) -> bool {
    name.ends_with("Exception") || name.ends_with("Error") || name == "Throwable"
}

/// What an exception of a class that is not part of the program is.
fn thrown_by_name(name: &str) -> Kinds {
    match name {
        "NullPointerException" => NULL,
        "ArithmeticException" => ARITHMETIC,
        "IndexOutOfBoundsException"
        | "ArrayIndexOutOfBoundsException"
        | "StringIndexOutOfBoundsException" => INDEX,
        "ClassCastException" => CAST,
        "NegativeArraySizeException" | "ArrayStoreException" => SIZE,
        "Throwable" => ALL,
        "Exception" => CHECKED,
        _ if name.ends_with("Error") => ERROR,
        _ if is_unchecked(name) => RUNTIME,
        _ => RUNTIME | CHECKED,
    }
}

fn is_unchecked(name: &str) -> bool {
    matches!(
        name,
        "RuntimeException"
            | "IllegalArgumentException"
            | "IllegalStateException"
            | "NumberFormatException"
            | "UnsupportedOperationException"
            | "NoSuchElementException"
            | "InputMismatchException"
            | "ConcurrentModificationException"
            | "EmptyStackException"
            | "UncheckedIOException"
            | "DateTimeException"
            | "IllegalMonitorStateException"
            | "SecurityException"
    )
}

/// What a `catch` of a class that is not part of the program takes, perhaps and surely.
fn caught_by_name(name: &str) -> (Kinds, Kinds) {
    match name {
        "Throwable" => (ALL, ALL),
        "Exception" => (ALL & !ERROR, ALL & !ERROR & !OWN),
        "RuntimeException" => (UNCHECKED | OWN, UNCHECKED),
        "NullPointerException" => (NULL | RUNTIME | OWN, NULL),
        "ArithmeticException" => (ARITHMETIC | RUNTIME | OWN, ARITHMETIC),
        "IndexOutOfBoundsException" => (INDEX | RUNTIME | OWN, INDEX),
        "ArrayIndexOutOfBoundsException" | "StringIndexOutOfBoundsException" => {
            (INDEX | RUNTIME | OWN, 0)
        }
        "ClassCastException" => (CAST | RUNTIME | OWN, CAST),
        "NegativeArraySizeException" | "ArrayStoreException" => (SIZE | RUNTIME | OWN, 0),
        _ if name.ends_with("Error") => (ERROR | OWN, 0),
        _ if is_unchecked(name) => (RUNTIME | OWN, 0),
        _ => (RUNTIME | CHECKED | OWN, 0),
    }
}

impl Lower<'_> {
    /// What a `catch` of some types takes, perhaps and surely.
    pub(super) fn caught(&self, ty: NodeId) -> (Kinds, Kinds) {
        if let Kind::UnionType { alternatives } = self.kind(ty) {
            let all = self.list(alternatives);
            return all.iter().fold((0, 0), |(may, must), &ty| {
                let (also, surely) = self.caught(ty);
                (may | also, must | surely)
            });
        }
        match self.class_named(ty) {
            Ok(class) => self.out.kinds.caught(self.program, class),
            Err(name) => caught_by_name(name.as_str()),
        }
    }

    /// What an expression that is thrown may be.
    pub(super) fn thrown(&self, value: NodeId) -> Kinds {
        match self.kind(value) {
            Kind::Parens { inner } => self.thrown(inner),
            Kind::New { class, body: None, .. } => match self.class_named(class) {
                Ok(class) => self.out.kinds.thrown(class),
                Err(name) => thrown_by_name(name.as_str()),
            },
            _ => ALL,
        }
    }

    /// The class of the program that a type is, or the name of another one.
    pub(super) fn class_named(&self, ty: NodeId) -> Result<ClassId, Atom> {
        let tree = self.program.tree(self.here.file);
        let base = crate::program::base_of(&tree, ty);
        match self.program.symbol(self.site(base)) {
            Some(Symbol::Class(class)) => Ok(class),
            _ => Err(last_name(&tree, ty)),
        }
    }
}
