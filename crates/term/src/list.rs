//! Lists: cons cells and walking along them.

use crate::Term;

/// One cell of a list.
#[derive(Debug)]
pub struct Cons {
    pub head: Term,
    pub tail: Term,
}

/// The elements of a list; afterwards [`Elements::rest`] says what it ended in.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    rest: &'a Term,
}

impl<'a> Elements<'a> {
    /// What follows the elements read so far: `[]` at the end of a proper list.
    pub fn rest(&self) -> &'a Term {
        self.rest
    }

    /// Whether the list ended properly (only meaningful after the last element).
    pub fn is_proper(&self) -> bool {
        self.rest.is_nil()
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a Term;

    fn next(&mut self) -> Option<&'a Term> {
        let cell = self.rest.as_cons()?;
        self.rest = &cell.tail;
        Some(&cell.head)
    }
}

impl Term {
    /// The elements of a list (none for what is not a list).
    pub fn elements(&self) -> Elements<'_> {
        Elements { rest: self }
    }

    /// The elements of a proper list; `None` for an improper list or what is no list.
    pub fn to_vec(&self) -> Option<Vec<Term>> {
        let mut elements = self.elements();
        let vec: Vec<Term> = elements.by_ref().cloned().collect();
        elements.is_proper().then_some(vec)
    }

    /// The length of a proper list.
    pub fn list_len(&self) -> Option<usize> {
        let mut elements = self.elements();
        let len = elements.by_ref().count();
        elements.is_proper().then_some(len)
    }
}

/// Builds a list front to back by collecting; the cells are made at the end.
#[derive(Default, Debug)]
pub struct ListBuilder {
    elements: Vec<Term>,
}

impl ListBuilder {
    pub fn push(&mut self, element: Term) {
        self.elements.push(element);
    }

    pub fn finish(self) -> Term {
        Term::list(self.elements)
    }

    pub fn finish_with(self, tail: Term) -> Term {
        Term::improper(self.elements, tail)
    }
}
