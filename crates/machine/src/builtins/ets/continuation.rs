//! Where a search in parts goes on: as a term, in OTP's shapes.
//!
//! In the place of the compiled specification stands its source: so a continuation holds nothing
//! but data, and can be sent, stored and read back.

use term::Term;

use super::end_of_table;
use crate::ets::table::Table;

/// `{Table, Chain, Limit, Spec, Found, Count}`
pub(super) struct HashedState {
    /// The next chain; `None` at the end.
    pub(crate) chain: Option<usize>,
    pub(crate) limit: usize,
    pub(crate) spec: Term,
    /// What was found and not yet given, in the order of the walk.
    pub(crate) found: Vec<Term>,
}

fn natural(term: &Term) -> Option<usize> {
    usize::try_from(term.as_int()?).ok()
}

impl HashedState {
    pub(super) fn new(limit: usize, spec: Term) -> HashedState {
        HashedState { chain: Some(0), limit, spec, found: Vec::new() }
    }

    pub(super) fn from_term(term: &Term) -> Option<HashedState> {
        let [_, chain, limit, spec, found, count] = term.as_tuple()? else { return None };
        let chain = match chain.as_int()? {
            -1 => None,
            chain => Some(usize::try_from(chain).ok()?),
        };
        let mut found = found.to_vec()?;
        if natural(count)? != found.len() {
            return None;
        }
        found.reverse();
        Some(HashedState { chain, limit: natural(limit)?, spec: spec.clone(), found })
    }

    /// What is given to the caller: up to the limit of what was found, and how to go on.
    ///
    /// The oldest are given. What is left over keeps its order after a first part, and is turned
    /// around otherwise.
    pub(super) fn answer(mut self, table: &Table, is_first: bool) -> Term {
        let mut rest = self.found.split_off(self.limit.min(self.found.len()));
        if is_first {
            rest.reverse();
        }
        let given = Term::list(self.found.into_iter().rev().collect::<Vec<_>>());
        let next = if rest.is_empty() && self.chain.is_none() {
            if given.is_nil() {
                return end_of_table();
            }
            end_of_table()
        } else {
            let count = Term::from(rest.len());
            Term::tuple([
                Term::from(table.id),
                self.chain.map_or(Term::int(-1), Term::from),
                Term::from(self.limit),
                self.spec,
                Term::list(rest),
                count,
            ])
        };
        Term::tuple([given, next])
    }
}

/// `{Table, LastKey, End, Limit, Spec, Found, Reverse, Count}`
pub(super) struct OrderedState {
    /// The key that was looked at last.
    pub(crate) last: Option<Term>,
    pub(crate) limit: usize,
    pub(crate) spec: Term,
    pub(crate) reverse: bool,
}

impl OrderedState {
    pub(super) fn new(limit: usize, spec: Term, reverse: bool) -> OrderedState {
        OrderedState { last: None, limit, spec, reverse }
    }

    pub(super) fn from_term(term: &Term) -> Option<OrderedState> {
        let [_, last, _, limit, spec, found, reverse, count] = term.as_tuple()? else {
            return None;
        };
        if !found.is_list() || count.as_int().is_none() {
            return None;
        }
        Some(OrderedState {
            last: Some(last.clone()),
            limit: natural(limit)?,
            spec: spec.clone(),
            reverse: reverse.as_int()? != 0,
        })
    }

    pub(super) fn into_term(self, table: &Table) -> Term {
        Term::tuple([
            table.handle(),
            self.last.unwrap_or_default(),
            Term::NIL,
            Term::from(self.limit),
            self.spec,
            Term::NIL,
            Term::int(i64::from(self.reverse)),
            Term::int(0),
        ])
    }
}
