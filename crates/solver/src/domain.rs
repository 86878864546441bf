//! Sets of values that a variable may come from: types, as far as a solver needs them.
//!
//! A domain is a node of a graph in [`Exprs`], so that types may be recursive: a list of integers
//! is the union of `[]` and of cons cells whose head is an integer and whose tail is the list
//! again. A cycle passes through [`Domain::Cons`], [`Domain::Tuple`] or [`Domain::Map`].

use num_bigint::BigInt;
use term::Term;

use crate::expr::{Exprs, Test};

/// A domain of one [`Exprs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DomainId(pub(crate) u32);

#[derive(Clone, Debug)]
pub enum Domain {
    Any,
    /// All values that pass a test (any but `Defined` and `In`).
    Test(Test),
    /// Integers, with bounds that belong to them.
    Between(Option<BigInt>, Option<BigInt>),
    /// One value.
    Value(Term),
    Cons(DomainId, DomainId),
    Tuple(Box<[DomainId]>),
    Map(Box<MapDomain>),
    /// Bit strings of `size` bits and any multiple of `unit` (zero for none) more.
    Bits {
        size: u64,
        unit: u64,
    },
    /// Values of one of these; of none if there is none.
    Union(Box<[DomainId]>),
}

/// Maps by their keys.
#[derive(Clone, Debug)]
pub struct MapDomain {
    /// Keys by name, where their values come from, and whether they must be there.
    pub fields: Vec<(Term, DomainId, bool)>,
    /// Other keys and their values.
    pub rest: Option<(DomainId, DomainId)>,
}

impl Exprs {
    pub fn domain(&mut self, domain: Domain) -> DomainId {
        let id = DomainId(self.domains.len() as u32);
        self.domains.push(domain);
        id
    }

    /// A domain that is filled in later, for recursive ones; [`Domain::Any`] until then.
    pub fn reserve_domain(&mut self) -> DomainId {
        self.domain(Domain::Any)
    }

    pub fn set_domain(&mut self, id: DomainId, domain: Domain) {
        self.domains[id.0 as usize] = domain;
    }

    pub fn get_domain(&self, id: DomainId) -> &Domain {
        &self.domains[id.0 as usize]
    }

    /// Proper lists of elements of a domain.
    pub fn list_domain(&mut self, element: DomainId) -> DomainId {
        let list = self.reserve_domain();
        let nil = self.domain(Domain::Value(Term::NIL));
        let cons = self.domain(Domain::Cons(element, list));
        self.set_domain(list, Domain::Union([nil, cons].into()));
        list
    }
}
