//! Contracts about what processes share: about processes themselves, tables, and protocols.
//!
//! | attribute | what it says |
//! |---|---|
//! | `-processes({worker/1, {at_most, 3}}).` | so many processes are there at a time |
//! | `-processes({worker/1, {restarts, 2}}).` | the same one is started again so often |
//! | `-processes({worker/1, {ends_before, run/1}}).` | they do not outlive a call of `run/1` |
//! | `-table("stock({_, N}) -> N >= 0").` | what holds of each object of a table |
//! | `-table({stock, check/1}).` | what holds of all its objects together |
//! | `-protocol({loop/1, shut, "next(shut, open) -> up; next(up, shut) -> shut"}).` | what comes |
//!
//! A protocol is an automaton: its first state, and clauses that are given a state and a message
//! and give the next state. Instead of a function the name of a process can stand there.

use atom::Atom;
use machine::contract::Kind;
use syntax::ast::{Kind as Node, NodeId};
use syntax::token::Literal;
use syntax::unparse;

use crate::clauses::clauses;
use crate::read::{Reader, integer};
use crate::{Limit, Says, Who, Wrong};

impl Reader<'_> {
    /// One contract of such an attribute.
    pub(crate) fn shared(&mut self, kind: Kind, value: NodeId) {
        let m = self.m;
        let read = match kind {
            Kind::Processes => self.processes(value),
            Kind::Table => self.table(value),
            _ => self.protocol(value),
        };
        match read {
            Ok(found) => {
                for (about, says) in found {
                    self.add(kind, about, value, says);
                }
            }
            Err(Some((at, why))) => self.problem(m, at, why),
            // It was noted.
            Err(None) => {}
        }
    }

    /// `{worker/1, Limit}` or `{worker/1, [Limit, …]}`
    fn processes(&mut self, value: NodeId) -> Found {
        let shape = || Some((value, Wrong::Shape(Kind::Processes)));
        let &[function, limits] = self.elements(value).ok_or_else(shape)? else {
            return Err(shape());
        };
        if !matches!(self.m.kind(function), Node::NameArity { .. }) {
            return Err(shape());
        }
        let about = self.name_arity(function).ok_or(None)?;
        let limits = match self.m.kind(limits) {
            Node::List { elements, tail: None } => self.m.list(elements).to_vec(),
            _ => vec![limits],
        };
        let mut found = Vec::new();
        for limit in limits {
            found.push((Some(about), Says::Limit(self.limit(limit)?)));
        }
        Ok(found)
    }

    /// `{at_most, N}`, `{restarts, N}`, `{ends_before, f/N}`
    fn limit(&mut self, limit: NodeId) -> Result<Limit, Option<(NodeId, Wrong)>> {
        let m = self.m;
        let shape = || Some((limit, Wrong::Shape(Kind::Processes)));
        let &[what, of] = self.elements(limit).ok_or_else(shape)? else { return Err(shape()) };
        let Node::Atom(what) = m.kind(what) else { return Err(shape()) };
        let count = || match m.kind(of) {
            Node::Integer(literal) => {
                integer(m.literal(literal)).and_then(|count| u64::try_from(count).ok())
            }
            _ => None,
        };
        match what.as_str() {
            "at_most" => count().map(Limit::AtMost).ok_or_else(shape),
            "restarts" => count().map(Limit::Restarts).ok_or_else(shape),
            "ends_before" if matches!(m.kind(of), Node::NameArity { .. }) => {
                let (name, arity) = self.name_arity(of).ok_or(None)?;
                Ok(Limit::EndsBefore(name, arity))
            }
            _ => Err(shape()),
        }
    }

    /// `"stock({_, N}) -> N >= 0"` or `{stock, check/1}`
    fn table(&mut self, value: NodeId) -> Found {
        let shape = || Some((value, Wrong::Shape(Kind::Table)));
        if let Some(text) = self.string(value) {
            let clauses = clauses(&text).map_err(|why| Some((value, why)))?;
            if clauses.has_result {
                return Err(Some((value, Wrong::NoResult)));
            }
            let Some((name, 1)) = clauses.about else { return Err(shape()) };
            return Ok(vec![(None, Says::Objects(name, clauses.text))]);
        }
        let &[name, function] = self.elements(value).ok_or_else(shape)? else {
            return Err(shape());
        };
        let (Node::Atom(name), Node::NameArity { .. }) = (self.m.kind(name), self.m.kind(function))
        else {
            return Err(shape());
        };
        match self.name_arity(function).ok_or(None)? {
            (function, 1) => Ok(vec![(None, Says::Table(name, function))]),
            _ => Err(shape()),
        }
    }

    /// `{loop/1, First, "next(State, Message) -> Next; …"}` or `{name, First, …}`
    fn protocol(&mut self, value: NodeId) -> Found {
        let m = self.m;
        let shape = || Some((value, Wrong::Shape(Kind::Protocol)));
        let &[who, first, text] = self.elements(value).ok_or_else(shape)? else {
            return Err(shape());
        };
        let at = text;
        let text = self.string(text).ok_or_else(shape)?;
        let clauses = clauses(&text).map_err(|why| Some((at, why)))?;
        if clauses.has_result {
            return Err(Some((at, Wrong::NoResult)));
        }
        if !matches!(clauses.about, Some((_, 2))) {
            return Err(shape());
        }
        let (about, who) = match m.kind(who) {
            Node::Atom(name) => (None, Who::Name(name)),
            Node::NameArity { .. } => {
                let (name, arity) = self.name_arity(who).ok_or(None)?;
                (Some((name, arity)), Who::Function(name, arity))
            }
            _ => return Err(shape()),
        };
        let first = unparse::one_line(m, first);
        Ok(vec![(about, Says::Follows { who, first, clauses: clauses.text })])
    }

    fn elements(&self, tuple: NodeId) -> Option<&[NodeId]> {
        match self.m.kind(tuple) {
            Node::Tuple { elements } => Some(self.m.list(elements)),
            _ => None,
        }
    }

    fn string(&self, node: NodeId) -> Option<String> {
        match self.m.kind(node) {
            Node::String(literal) => match self.m.literal(literal) {
                Literal::String(text) => Some(text.to_string()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The contracts that a value is, with the functions that they are about; what is wrong with it,
/// and where, unless that was noted.
type Found = Result<Vec<(Option<(Atom, u32)>, Says)>, Option<(NodeId, Wrong)>>;
