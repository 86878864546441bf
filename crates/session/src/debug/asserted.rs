//! Assertions of tests as an oracle.
//!
//! `?assertEqual(Expected, m:f(Args))` and `?assert(m:f(Args) =:= Expected)`, either way round,
//! with values that are written out, say what that call gives. They are read from the text of the
//! program's modules, wherever they stand, and compared as terms.

use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use ::debug::record::{Outcome, Statement};
use atom::{Atom, quote};
use machine::Ending;
use runner::library::read_source;
use runner::run;
use runner::world::RealWorld;
use syntax::ast::{BinaryOp, Kind, Module, NodeId};
use term::Term;

use super::same::are_same;
use super::{Answer, Request};
use crate::Error;
use crate::call::module_name;
use crate::open::{Opened, ReadAs, not_booted};

/// What tests say about calls.
#[derive(Default)]
pub(super) struct Asserted(Vec<Assertion>);

struct Assertion {
    function: (Atom, Atom),
    args: Vec<Term>,
    value: Term,
}

/// A module that holds what was asserted.
const NAME: &str = "erlscope_asserted";

impl Asserted {
    /// The assertions in the modules of a program and its tests.
    pub(super) fn open(request: &Request) -> Result<Asserted, Error> {
        let (running, reading) = (&request.running, &request.reading);
        let paths = match &request.recorded {
            Some(witness) => witness.places(),
            None => request.paths.clone(),
        };
        let opened = Opened::new(&paths, None, ReadAs::Tests, running, reading)?;
        let mut texts = Vec::new();
        for unit in opened.sources.units() {
            let name = unit.path.file_stem().and_then(|name| name.to_str());
            let Some(Ok(found)) = name.and_then(|name| opened.sources.module(Atom::new(name)))
            else {
                continue;
            };
            texts.extend(assertions(&found.tree));
        }
        if texts.is_empty() {
            return Ok(Asserted::default());
        }
        let text =
            format!("-module({NAME}).\n-export([all/0]).\nall() -> [{}].\n", texts.join(",\n"));
        opened.loader.add_source(Atom::new(NAME), &text);
        let world = RealWorld::new(opened.permissions(running)?, 0).at_fixed_time();
        let mut machine =
            run::boot(opened.loader, Rc::new(world.keeping_output())).map_err(not_booted)?;
        let ended = run::try_evaluate_within(&mut machine, (NAME, "all"), Vec::new(), 1_000_000);
        let Ending::Returned(all) = ended else { return Ok(Asserted::default()) };
        let all = all.to_vec().unwrap_or_default();
        Ok(Asserted(all.iter().filter_map(Assertion::of).collect()))
    }

    pub(super) fn judge(&self, statement: &Statement) -> Option<Answer> {
        let (module, name, _) = statement.function;
        if statement.after.is_some() {
            return None;
        }
        let is_it = |known: &&Assertion| {
            known.function == (module, name) && are_same(&known.args, &statement.args)
        };
        let known = self.0.iter().find(is_it)?;
        match &statement.outcome {
            Outcome::Value(value) if term::order::exact_eq(value, &known.value) => {
                Some(Answer::Right)
            }
            Outcome::Value(_) | Outcome::Exception { .. } => Some(Answer::Wrong),
            _ => None,
        }
    }
}

impl Assertion {
    fn of(term: &Term) -> Option<Assertion> {
        let [module, name, args, value] = term.as_tuple()? else { return None };
        Some(Assertion {
            function: (module.as_atom()?, name.as_atom()?),
            args: args.to_vec()?,
            value: value.clone(),
        })
    }
}

/// What a module asserts, as texts of tuples.
fn assertions(tree: &Module) -> Vec<String> {
    let mut texts = Vec::new();
    for expansion in &tree.expansions {
        let name = expansion.name.as_str().trim_start_matches('_');
        if expansion.parent.is_some() || !matches!(name, "assertEqual" | "assert") {
            continue;
        }
        let call = tree.text(expansion.call);
        let Some((_, rest)) = call.split_once('(') else { continue };
        let Some(inside) = rest.trim_end().strip_suffix(')') else { continue };
        let text = format!("-module(m).\nf() -> f({inside}).\n");
        let read = read_source(Path::new("m.erl"), &text);
        if read.diagnostics.is_empty()
            && let Some(assertion) = asserted(&read, module_name(tree))
        {
            texts.push(assertion);
        }
    }
    texts
}

/// The one assertion whose arguments are those of the call of `f` in a module.
fn asserted(tree: &Module, module: Option<Atom>) -> Option<String> {
    let function = tree.forms.iter().find_map(|&form| match tree.kind(form) {
        Kind::Function { clauses, .. } => tree.list(clauses).first().copied(),
        _ => None,
    })?;
    let Kind::Clause { body, .. } = tree.kind(function) else { return None };
    let Kind::Call { args, .. } = tree.kind(*tree.list(body).first()?) else { return None };
    let (a, b) = match tree.list(args) {
        [a, b] => (*a, *b),
        [both] => match tree.kind(*both) {
            Kind::BinaryOp { op: BinaryOp::Eq | BinaryOp::ExactEq, left, right } => (left, right),
            _ => return None,
        },
        _ => return None,
    };
    about(tree, module, b, a).or_else(|| about(tree, module, a, b))
}

/// What is said of a call with arguments that are written out.
fn about(tree: &Module, module: Option<Atom>, call: NodeId, value: NodeId) -> Option<String> {
    let Kind::Call { callee, args } = tree.kind(call) else { return None };
    let (module, name) = match tree.kind(callee) {
        Kind::Atom(name) => (module?, name),
        Kind::Remote { module, name } => match (tree.kind(module), tree.kind(name)) {
            (Kind::Atom(module), Kind::Atom(name)) => (module, name),
            _ => return None,
        },
        _ => return None,
    };
    let args = tree.list(args);
    if !is_written_out(tree, value) || !args.iter().all(|&arg| is_written_out(tree, arg)) {
        return None;
    }
    let text = |id: NodeId| tree.text(tree.span(id)).to_owned();
    let args: Vec<String> = args.iter().map(|&arg| text(arg)).collect();
    let mut out = String::new();
    let (module, name) = (quote::atom(module.as_str()), quote::atom(name.as_str()));
    let _ = write!(out, "{{{module}, {name}, [{}], {}}}", args.join(", "), text(value));
    Some(out)
}

/// Whether an expression is a value as it stands.
pub(super) fn is_written_out(tree: &Module, id: NodeId) -> bool {
    let mut is_value = true;
    tree.for_each_below(id, |id| {
        is_value &= matches!(
            tree.kind(id),
            Kind::Atom(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Nil
                | Kind::List { .. }
                | Kind::Tuple { .. }
                | Kind::Map { base: None, .. }
                | Kind::MapField { .. }
                | Kind::Binary { .. }
                | Kind::BinElement { .. }
                | Kind::BinSpec { .. }
                | Kind::UnaryOp { .. }
                | Kind::BinaryOp { .. }
        );
    });
    is_value
}
