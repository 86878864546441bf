//! Which part of a value is wrong: what was called for other parts is not asked about.
//!
//! Somebody types the right value, or where the wrong part is, or a reference version knows the
//! value. The statement is looked at from near ([`Debugged::zoom`] does the same), and what the
//! part does not come from ([`debug::zoom::part`]) is ruled out.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use ::debug::record::{Outcome, StatementId};
use ::debug::zoom::Closeup;
use ::debug::zoom::part::{Step, difference};
use atom::Atom;
use machine::Ending;
use runner::library::read_source;
use runner::run;
use runner::world::RealWorld;
use syntax::ast::{Kind, NodeId};
use term::Term;

use super::asserted::is_written_out;
use super::same::{are_same, is_same};
use super::{Answer, Debugged, NodeIx, Reference, Search, Strategy, open};
use crate::open::not_booted;
use crate::{Control, Error};

/// A value that is right.
pub struct RightValue(pub(super) Term);

/// A module that holds what was typed.
const NAME: &str = "erlscope_typed";

impl Debugged {
    /// A value as somebody types it.
    pub fn typed(&self, text: &str) -> Result<RightValue, Error> {
        let text = text.trim().trim_end_matches('.');
        let wrong = || Error::Missing(format!("{text} is not a value, written out as in Erlang"));
        let module = format!("-module({NAME}).\n-export([it/0]).\nit() ->\n{text}.\n");
        let read = read_source(Path::new("typed.erl"), &module);
        let body = read.forms.iter().find_map(|&form| match read.kind(form) {
            Kind::Function { clauses, .. } => match read.list(clauses) {
                &[clause] => Some(read.kind(clause)),
                _ => None,
            },
            _ => None,
        });
        let Some(Kind::Clause { body, .. }) = body else { return Err(wrong()) };
        let is_value = matches!(read.list(body), &[only] if is_written_out(&read, only))
            && read.diagnostics.is_empty();
        if !is_value {
            return Err(wrong());
        }
        let opened = open(&self.request)?;
        opened.loader.add_source(Atom::new(NAME), &module);
        let permissions = opened.permissions(&self.request.running)?;
        let world = RealWorld::new(permissions, 0).at_fixed_time();
        let mut machine =
            run::boot(opened.loader, Rc::new(world.keeping_output())).map_err(not_booted)?;
        match run::try_evaluate_within(&mut machine, (NAME, "it"), Vec::new(), 1_000_000) {
            Ending::Returned(value) => Ok(RightValue(value)),
            _ => Err(wrong()),
        }
    }

    /// Whether a statement gave this value.
    pub fn gave(&self, node: NodeIx, right: &RightValue) -> bool {
        let outcome = self.run.statement(node).map(|statement| &statement.outcome);
        matches!(outcome, Some(Outcome::Value(value)) if is_same(value, &right.0))
    }

    /// What the right value of one statement says of another: of the same call.
    pub fn told_by(&self, node: NodeIx, (told, right): (NodeIx, &RightValue)) -> Option<Answer> {
        let (one, other) = (self.run.statement(node)?, self.run.statement(told)?);
        let is_same = one.function == other.function
            && one.after.is_none()
            && other.after.is_none()
            && are_same(&one.args, &other.args)
            && are_same(&one.captured, &other.captured);
        let is_right = self.gave(node, right);
        is_same.then_some(if is_right { Answer::Right } else { Answer::Wrong })
    }

    /// A statement is wrong since it should have given this value.
    pub fn should_give(
        &self,
        search: &mut Search<'_>,
        node: NodeIx,
        right: &RightValue,
        control: &Control,
    ) -> Result<(), Error> {
        let statement = self.run.statement(node);
        let Some(Outcome::Value(value)) = statement.map(|statement| &statement.outcome) else {
            return Ok(());
        };
        let part = difference(value, &right.0, &is_same);
        self.rule_out(search, node, &part, control)
    }

    /// A statement is wrong in this part: the number of an element of a tuple or list, in that one
    /// another, and so on. `false` if there is no such part.
    pub fn is_wrong_in(
        &self,
        search: &mut Search<'_>,
        node: NodeIx,
        positions: &[usize],
        control: &Control,
    ) -> Result<bool, Error> {
        let statement = self.run.statement(node);
        let Some(Outcome::Value(value)) = statement.map(|statement| &statement.outcome) else {
            return Ok(false);
        };
        let Some(part) = way(value, positions) else { return Ok(false) };
        self.rule_out(search, node, &part, control)?;
        Ok(true)
    }

    /// The same with what a reference version gives.
    pub fn should_give_as(
        &self,
        reference: &Reference,
        search: &mut Search<'_>,
        node: NodeIx,
        control: &Control,
    ) -> Result<(), Error> {
        let Some(given) = self.run.shape.given(node) else { return Ok(()) };
        match reference.value(&self.run, StatementId(given as u32)) {
            Some(right) => self.should_give(search, node, &RightValue(right), control),
            None => Ok(()),
        }
    }

    /// What is wrong with the run is known before anybody is asked where a reference version gives
    /// another value.
    pub fn begin_with(
        &self,
        reference: &Reference,
        search: &mut Search<'_>,
        control: &Control,
    ) -> Result<(), Error> {
        let mut top = self.run.shape.children(NodeIx::ROOT);
        match (top.next(), top.next()) {
            (Some(only), None) => self.should_give_as(reference, search, only, control),
            _ => Ok(()),
        }
    }

    fn rule_out(
        &self,
        search: &mut Search<'_>,
        node: NodeIx,
        part: &[Step],
        control: &Control,
    ) -> Result<(), Error> {
        let Some(given) = self.run.shape.given(node) else { return Ok(()) };
        let does_more = !self.run.doings(StatementId(given as u32)).is_empty();
        let is_informed = search.strategy() == Strategy::Informed;
        let children: Vec<NodeIx> = self.run.shape.children(node).collect();
        if part.is_empty() || does_more || !is_informed || children.len() < 2 {
            return Ok(());
        }
        if let Some(closeup) = self.closeup(node, control)? {
            search.rule_out(node, self.elsewhere(&closeup, node, part, &children));
        }
        Ok(())
    }

    /// Those right below a statement that a part of its value does not come from.
    fn elsewhere(
        &self,
        closeup: &Closeup,
        node: NodeIx,
        part: &[Step],
        children: &[NodeIx],
    ) -> Vec<NodeIx> {
        let origins = closeup.origins(part);
        let module = self.run.statement(node).map(|statement| statement.site.module);
        let mut called: BTreeMap<NodeId, Vec<NodeIx>> = BTreeMap::new();
        for &child in children {
            let site = self.run.statement(child).and_then(|child| child.called_at);
            if let Some(site) = site.filter(|site| Some(site.module) == module) {
                called.entry(site.node).or_default().push(child);
            }
        }
        let mut elsewhere = Vec::new();
        for (place, children) in called {
            let instances = closeup.instances.iter().enumerate();
            let at: Vec<usize> = instances
                .filter(|(_, instance)| instance.node == place)
                .map(|(at, _)| at)
                .collect();
            if at.len() == children.len() {
                let pairs = children.iter().zip(&at);
                elsewhere
                    .extend(pairs.filter(|(_, at)| !origins.has(**at)).map(|(child, _)| child));
            } else if !at.is_empty() && !at.iter().any(|&at| origins.has(at)) {
                elsewhere.extend(children);
            }
        }
        elsewhere
    }
}

/// The way to a part of a value that is given by positions.
fn way(value: &Term, positions: &[usize]) -> Option<Vec<Step>> {
    let mut way = Vec::new();
    let mut value = value.clone();
    for position in positions {
        let at = position.checked_sub(1)?;
        let element = if let Some(tuple) = value.as_tuple() {
            way.push(Step::Element(at));
            tuple.get(at)?.clone()
        } else {
            way.extend(std::iter::repeat_n(Step::Tail, at));
            way.push(Step::Head);
            value.elements().nth(at)?.clone()
        };
        value = element;
    }
    Some(way)
}
