//! What callbacks give, as far as it is written: which tuples, and where in them something is.

use flow::{FunctionId, ModuleId};
use program::resolve::Target;
use syntax::ast::{Kind, NodeId, NodeList};

use super::callback::{Callback, Element};
use crate::erlang::build::Build;

/// Which tuples a function gives: first element and size of each. `None` if that is not known.
pub(super) fn given(build: &Build<'_>, function: FunctionId) -> Option<Vec<(String, u32)>> {
    let mut results = Results::new(build);
    results.function(function).then_some(results.found)
}

struct Results<'b, 'p> {
    build: &'b Build<'p>,
    seen: Vec<FunctionId>,
    found: Vec<(String, u32)>,
    /// The tuples themselves.
    tuples: Vec<(ModuleId, NodeId)>,
}

/// Whether all actions that a callback gives are replies.
pub(super) fn gives_replies_only(build: &Build<'_>, function: FunctionId) -> bool {
    let mut results = Results::new(build);
    if !results.function(function) {
        return false;
    }
    let actions = all_places(Callback::Event, &[Element::Actions]);
    results.tuples.iter().all(|&(module, tuple)| {
        let tree = &build.flow.modules[module].tree;
        let Kind::Tuple { elements } = tree.kind(tuple) else { return false };
        let elements = tree.list(elements);
        let is_begin = matches!(tree.kind(elements[0]), Kind::Atom(tag) if tag.as_str() == "ok");
        let is_reply = |&action: &NodeId| match tree.kind(action) {
            Kind::Tuple { elements } => tree.list(elements).first().is_some_and(
                |&tag| matches!(tree.kind(tag), Kind::Atom(tag) if tag.as_str() == "reply"),
            ),
            _ => false,
        };
        elements.iter().enumerate().all(|(position, element)| {
            let place = (elements.len() as u32, position as u32);
            let tag = tree.kind(elements[0]);
            let is_action = match tag {
                _ if is_begin => place == (4, 3),
                Kind::Atom(tag) => places_in(Callback::Event, &[Element::Actions], |of, size| {
                    of == tag.as_str() && size == place.0
                })
                .contains(&place),
                _ => actions.contains(&place),
            };
            !is_action
                || match tree.kind(*element) {
                    Kind::Nil => true,
                    Kind::List { elements, tail: None } => tree.list(elements).iter().all(is_reply),
                    _ => is_reply(element),
                }
        })
    })
}

/// Whether `callback_mode` says that there are calls for states that are entered.
pub(super) fn enters_states(build: &Build<'_>, mode: FunctionId) -> bool {
    let function = build.flow.function(mode);
    let tree = &build.flow.modules[function.module].tree;
    let mut others = false;
    tree.for_each_below(function.node, |node| match tree.kind(node) {
        Kind::Atom(name) => others |= name.as_str() == "state_enter",
        // What is computed may say anything.
        Kind::Call { .. } | Kind::Var(_) => others = true,
        _ => {}
    });
    others
}

impl<'b, 'p> Results<'b, 'p> {
    fn new(build: &'b Build<'p>) -> Results<'b, 'p> {
        Results { build, seen: Vec::new(), found: Vec::new(), tuples: Vec::new() }
    }

    /// Whether all results are known.
    fn function(&mut self, id: FunctionId) -> bool {
        if self.seen.contains(&id) {
            return true;
        }
        self.seen.push(id);
        let function = self.build.flow.function(id);
        self.clauses(function.module, function.clauses)
    }

    fn clauses(&mut self, module: ModuleId, clauses: NodeList) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(clauses).iter().all(|&clause| match tree.kind(clause) {
            Kind::Clause { body, .. } => self.last(module, body),
            _ => false,
        })
    }

    fn last(&mut self, module: ModuleId, body: NodeList) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(body).last().is_some_and(|&last| {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.expression(module, last))
        })
    }

    fn expression(&mut self, module: ModuleId, node: NodeId) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        match tree.kind(node) {
            Kind::Atom(name) => {
                self.found.push((name.as_str().to_string(), 0));
                true
            }
            Kind::Tuple { elements } => {
                match tree.list(elements).first().map(|&tag| tree.kind(tag)) {
                    Some(Kind::Atom(tag)) => {
                        self.found.push((tag.as_str().to_string(), elements.len));
                        self.tuples.push((module, node));
                        true
                    }
                    _ => false,
                }
            }
            Kind::Case { clauses, .. } | Kind::If { clauses } => self.clauses(module, clauses),
            Kind::Receive { clauses, after } => {
                self.clauses(module, clauses)
                    && after.is_none_or(|after| self.last(module, after.body))
            }
            Kind::Block { body } => self.last(module, body),
            Kind::Match { value, .. } => self.expression(module, value),
            Kind::Try { body, of, catch, .. } => {
                let result =
                    if of.is_empty() { self.last(module, body) } else { self.clauses(module, of) };
                result && self.clauses(module, catch)
            }
            Kind::Call { .. } => {
                let loaded = &self.build.program.modules[module.index()];
                let Some((of, name, arity)) =
                    loaded.target(node).and_then(|target: Target| target.mfa(loaded.name))
                else {
                    return false;
                };
                match self.build.find(of, name, arity) {
                    Some(function) => self.function(function),
                    // These give nothing.
                    None => {
                        of == atom::known::ERLANG
                            && matches!(name.as_str(), "exit" | "error" | "throw")
                            && arity == 1
                    }
                }
            }
            _ => false,
        }
    }
}

/// Where in the results of a callback some of their elements are: size and position.
pub(crate) fn places(
    build: &Build<'_>,
    function: FunctionId,
    wanted: &[Element],
) -> Vec<(u32, u32)> {
    let Some(callback) = build.servers.callback(function) else { return Vec::new() };
    let given = given(build, function);
    places_in(callback, wanted, |tag, size| {
        let same = |(of, long): &(String, u32)| of == tag && *long == size;
        given.as_ref().is_none_or(|given| given.iter().any(same))
    })
}

/// Where in all that a callback may give some elements are.
pub(super) fn all_places(callback: Callback, wanted: &[Element]) -> Vec<(u32, u32)> {
    places_in(callback, wanted, |_, _| true)
}

fn places_in(
    callback: Callback,
    wanted: &[Element],
    is_given: impl Fn(&str, u32) -> bool,
) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for &(tag, elements) in callback.tuples() {
        let size = elements.len() as u32 + 1;
        for (index, element) in elements.iter().enumerate().filter(|_| is_given(tag, size)) {
            let place = (size, index as u32 + 1);
            if wanted.contains(element) && !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}
