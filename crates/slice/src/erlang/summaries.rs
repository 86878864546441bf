//! Calls of library functions of which a model says how results depend on arguments
//! ([`super::models`]): its nodes and edges are made for each call, so that what one call does with
//! a fun has nothing to do with what another one does with another fun.
//!
//! A fun that is given to a library function is called with what the model says; if it may be one
//! that is not part of the program, what it gives depends on all that it gets.

use atom::Atom;
use flow::Site;
use syntax::ast::{Kind, NodeId};
use syntax::token::Literal;

use super::effects::{Key, table_key};
use super::expressions::Walker;
use super::fields::{self, ANY_FIELD, ANY_KEY, HEAD, TAIL, literal_key};
use super::models::{Model, Part, Step, Word};
use super::nodes::Targets;
use super::selection;
use dependence::{Call, EdgeKind, Field, Frame, Label, Node};

/// Positions up to this are told apart.
const LAST_POSITION: u32 = 64;

/// A call of a function with a model, while its nodes are made.
pub(crate) struct Summary<'w, 'b, 'p, 'c> {
    pub(crate) walker: &'w mut Walker<'b, 'p>,
    pub(crate) node: NodeId,
    /// The module of the function.
    pub(crate) module: Atom,
    /// The number of the call, for frames.
    pub(crate) call: Call,
    pub(crate) done: Node,
    pub(crate) args: &'c [NodeId],
    pub(crate) values: &'c [Node],
    pub(crate) targets: &'c Targets,
    locals: Vec<Node>,
}

impl<'w, 'b, 'p, 'c> Summary<'w, 'b, 'p, 'c> {
    pub(crate) fn new(
        walker: &'w mut Walker<'b, 'p>,
        (module, node): (Atom, NodeId),
        (call, done): (Call, Node),
        args: &'c [NodeId],
        values: &'c [Node],
        targets: &'c Targets,
    ) -> Summary<'w, 'b, 'p, 'c> {
        Summary { walker, node, module, call, done, args, values, targets, locals: Vec::new() }
    }

    /// Makes what a model says, for the value of the call.
    pub(crate) fn make(&mut self, model: &Model, value: Node) {
        self.locals = (0..model.locals).map(|_| self.fresh()).collect();
        let last = model.steps.len().saturating_sub(1);
        for (index, step) in model.steps.iter().enumerate() {
            match step {
                Step::Name(local, part) => {
                    let local = self.locals[*local];
                    self.edge_to(local, Label::Same, part);
                }
                Step::Need(parts) => {
                    for part in parts {
                        self.edge_to(self.done, Label::All, part);
                    }
                }
                Step::Do(part) if index == last => self.edge_to(value, Label::Same, part),
                Step::Do(part) => {
                    self.part(part);
                }
            }
        }
    }

    fn fresh(&mut self) -> Node {
        self.walker.between(self.node)
    }

    fn edge(&mut self, from: Node, to: Node, label: Label) {
        self.walker.edge(from, to, EdgeKind::Value, label);
    }

    /// An edge to a part, if there is something behind it.
    fn edge_to(&mut self, from: Node, label: Label, part: &Part) {
        if let Some(to) = self.part(part) {
            self.edge(from, to, label);
        }
    }

    /// A fresh node with an edge to a part.
    fn above(&mut self, label: Label, part: &Part) -> Node {
        let node = self.fresh();
        self.edge_to(node, label, part);
        node
    }

    /// The node of a part; what depends on nothing has none.
    fn part(&mut self, part: &Part) -> Option<Node> {
        Some(match part {
            Part::Argument(index) => *self.values.get(*index)?,
            Part::Local(index) => self.locals[*index],
            Part::Nothing | Part::Number(_) => return None,
            Part::Call(fun, args) => self.call_back(*fun, args),
            Part::Tuple(parts) => {
                let node = self.fresh();
                for (position, part) in parts.iter().enumerate() {
                    let field = fields::element(parts.len() as u32, position as u32);
                    self.edge_to(node, Label::Close(field), part);
                }
                node
            }
            Part::Word(word, parts) => self.word(*word, parts),
        })
    }

    fn word(&mut self, word: Word, parts: &[Part]) -> Node {
        match (word, parts) {
            (Word::Either, parts) => {
                let node = self.fresh();
                for part in parts {
                    self.edge_to(node, Label::Same, part);
                }
                node
            }
            (Word::List, parts) => {
                let node = self.fresh();
                self.edge_to(node, Label::Close(HEAD), &parts[0]);
                self.edge(node, node, Label::Close(TAIL));
                if let Some(tail) = parts.get(1) {
                    self.edge_to(node, Label::Same, tail);
                }
                node
            }
            (Word::Item, parts) => {
                let cell = self.cells(&parts[0]);
                let node = self.fresh();
                self.edge(node, cell, Label::Open(HEAD));
                node
            }
            (Word::Length, parts) => {
                let cell = self.cells(&parts[0]);
                let node = self.fresh();
                self.edge(node, cell, Label::Shape);
                node
            }
            (Word::Bits, parts) => self.above(Label::Open(fields::SIZE), &parts[0]),
            (Word::Nth, [number, list]) => self.nth(number, list),
            (Word::Shape, parts) => self.above(Label::Shape, &parts[0]),
            (Word::Element, [Part::Number(position), Part::Number(size), tuple]) => {
                self.above(Label::Open(fields::element(*size, position.saturating_sub(1))), tuple)
            }
            (Word::Element, [Part::Number(1), Part::Nothing, list]) => {
                self.above(Label::Open(HEAD), list)
            }
            (Word::Element, parts) => self.above(Label::Open(TAIL), &parts[2]),
            (Word::Part, parts) => self.above(Label::Open(ANY_FIELD), &parts[0]),
            (Word::At, [number, tuple]) => {
                let field = self.position(number);
                let node = self.above(Label::Open(field), tuple);
                self.edge_to(node, Label::All, number);
                node
            }
            (Word::PutAt, [number, tuple, part]) => {
                let field = self.position(number);
                let node = self.above(Label::Close(field), part);
                self.edge_to(node, Label::Same, tuple);
                self.edge_to(node, Label::All, number);
                node
            }
            (Word::Tuple, parts) => self.above(Label::Close(ANY_FIELD), &parts[0]),
            (Word::Map, parts) => self.above(Label::Close(ANY_KEY), &parts[0]),
            (Word::Value, parts) => self.above(Label::Open(ANY_KEY), &parts[0]),
            (Word::Keys, parts) => {
                let any = self.above(Label::Open(ANY_KEY), &parts[0]);
                let node = self.fresh();
                self.edge(node, any, Label::Shape);
                node
            }
            (Word::Get, [key, map]) => {
                let field = self.key(key);
                self.above(Label::Open(field), map)
            }
            (Word::Has, [key, map]) => {
                let field = self.key(key);
                let there = self.above(Label::Open(field), map);
                let node = self.fresh();
                self.edge(node, there, Label::Shape);
                node
            }
            (Word::Put, [key, part, map]) => {
                let field = self.key(key);
                let node = self.above(Label::Close(field), part);
                self.edge_to(node, all_but(field), map);
                node
            }
            (Word::Keep, [key, content]) => {
                let content = self.above(Label::Same, content);
                self.keep(key, Some(content));
                content
            }
            (Word::Forget, [key]) => {
                self.keep(key, None);
                self.fresh()
            }
            (Word::Kept, [key]) => {
                let key = self.state_key(key);
                let node = self.fresh();
                self.walker.build.states.finds(self.module, key, node);
                node
            }
            (Word::Without, [key, map]) => {
                let field = self.key(key);
                self.above(all_but(field), map)
            }
            // The words know how many parts they have.
            (_, parts) => {
                let node = self.fresh();
                for part in parts {
                    self.edge_to(node, Label::All, part);
                }
                node
            }
        }
    }

    /// A list and everything behind its first cells.
    fn cells(&mut self, list: &Part) -> Node {
        let cell = self.above(Label::Same, list);
        self.edge(cell, cell, Label::Open(TAIL));
        cell
    }

    fn nth(&mut self, number: &Part, list: &Part) -> Node {
        let Some(index) = self.number(number).filter(|&index| index > 0) else {
            let cell = self.cells(list);
            let node = self.fresh();
            self.edge(node, cell, Label::Open(HEAD));
            self.edge_to(node, Label::All, number);
            return node;
        };
        let node = self.fresh();
        let (mut from, mut label) = (node, Label::Open(HEAD));
        for _ in 1..index {
            let cell = self.fresh();
            self.edge(from, cell, label);
            (from, label) = (cell, Label::Open(TAIL));
        }
        self.edge_to(from, label, list);
        node
    }

    /// A small number that is written as an argument, or in the model.
    fn number(&self, part: &Part) -> Option<u32> {
        let argument = match part {
            Part::Number(number) => return Some(*number),
            Part::Argument(argument) => *self.args.get(*argument)?,
            _ => return None,
        };
        let tree = &self.walker.tree;
        let Kind::Integer(id) = tree.kind(argument) else { return None };
        match tree.literal(id) {
            Literal::Integer(value) => {
                u32::try_from(value).ok().filter(|&value| value <= LAST_POSITION)
            }
            _ => None,
        }
    }

    /// The element of a tuple whose number this is.
    fn position(&self, number: &Part) -> Field {
        match self.number(number).filter(|&number| number > 0) {
            Some(number) => fields::element_of_any(number - 1),
            None => ANY_FIELD,
        }
    }

    fn key(&mut self, key: &Part) -> Field {
        let Part::Argument(key) = key else { return ANY_KEY };
        let Some(&key) = self.args.get(*key) else { return ANY_KEY };
        let tree = self.walker.tree.clone();
        self.walker.build.keys.field(&tree, key)
    }

    fn keep(&mut self, key: &Part, content: Option<Node>) {
        let key = self.state_key(key);
        self.walker.build.states.keeps(self.module, key, self.done, content);
    }

    /// Where in the state of its module a call keeps or finds something.
    fn state_key(&self, key: &Part) -> Key {
        let tree = &self.walker.tree;
        let argument = |part: &Part| match part {
            Part::Argument(index) => self.args.get(*index).copied(),
            _ => None,
        };
        let first = |part: &Part| match argument(part).map(|argument| tree.kind(argument)) {
            Some(Kind::Tuple { elements }) => tree.list(elements).first().copied(),
            _ => None,
        };
        let key = match key {
            Part::Word(Word::First, parts) => first(&parts[0]),
            _ => argument(key),
        };
        if self.module.as_str() != "ets" {
            return Key { table: None, key: key.and_then(|key| literal_key(tree, key)) };
        }
        Key {
            table: self
                .args
                .first()
                .and_then(|&table| selection::table(self.walker.build, self.walker.module, table)),
            key: key.and_then(|key| table_key(tree, key)),
        }
    }

    /// What a fun among the arguments gives.
    fn call_back(&mut self, fun: usize, args: &[Part]) -> Node {
        let result = self.fresh();
        let args: Vec<Node> = args.iter().map(|arg| self.above(Label::Same, arg)).collect();
        let Some(&fun) = self.values.get(fun) else { return result };
        self.edge(self.done, fun, Label::Shape);
        self.edge(result, self.done, Label::All);
        let (enter, leave) = (Frame::Enter(self.call), Frame::Leave(self.call));
        let mut is_known = !self.may_call_outside(args.len() as u32);
        for &target in &self.targets.called_back {
            let function = self.walker.build.function(target).clone();
            is_known &= function.arity as usize == args.len();
            self.walker.framed(function.entry, self.done, EdgeKind::Call, Label::All, leave);
            for (&arg, parameter) in args.iter().zip(function.parameters()) {
                self.walker.framed(parameter, arg, EdgeKind::Input, Label::Same, leave);
            }
            self.walker.framed(result, function.result, EdgeKind::Output, Label::Same, enter);
        }
        if !is_known {
            self.edge(result, fun, Label::All);
            for arg in args {
                self.edge(result, arg, Label::All);
            }
        }
        result
    }

    /// Whether a fun that is called here may be none of the program's.
    fn may_call_outside(&self, arity: u32) -> bool {
        let build = &self.walker.build;
        let site = Site { module: self.walker.module, node: self.node };
        let found = build.flow.calls.get(&site);
        let is_known = found.is_some_and(|found| !found.unknown && !found.targets.is_empty());
        !is_known || build.outside_funs.may_have(arity)
    }
}

/// Everything but a field, if it is known which.
fn all_but(field: Field) -> Label {
    if field == ANY_KEY { Label::Same } else { Label::Except(field) }
}
