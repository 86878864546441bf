//! What a behaviour calls its callbacks with, and what it takes from what they give: the edges of
//! a call that starts a server.

use flow::FunctionId;
use syntax::ast::{Kind, NodeId};

use super::callback::{Callback, Element};
use super::results::{all_places, enters_states, gives_replies_only, places};
use super::{Readers, sent_with, server};
use crate::erlang::expressions::Walker;
use crate::erlang::fields;
use crate::erlang::nodes::{FunctionNodes, Role, Targets};
use dependence::{Call, EdgeKind, Frame, Label, Node};

impl Walker<'_, '_> {
    /// Starts a server, if a call does and its callbacks are known.
    pub(crate) fn starts_server(
        &mut self,
        node: NodeId,
        (call, done, value): (Call, Node, Node),
        targets: &Targets,
        args: &[Node],
    ) -> bool {
        let Some((_, first)) = server(self.build, self.module, node, targets) else { return false };
        if targets.called_back.iter().any(|&target| self.build.servers.callback(target).is_none()) {
            return false;
        }
        for (_, &arg) in args.iter().enumerate().filter(|(index, _)| *index != first) {
            self.edge(done, arg, EdgeKind::Value, Label::All);
        }
        let state = self.build.node(self.module, node, Role::State);
        // What comes next if nothing is sent, and what `terminate` is told.
        let next = self.build.node(self.module, node, Role::State);
        let reasons = self.build.node(self.module, node, Role::State);
        let name = self.build.node(self.module, node, Role::State);
        let enter = Frame::Enter(call);
        let events = self.has_events(targets);
        for &target in &targets.called_back {
            let Some(callback) = self.build.servers.callback(target) else { continue };
            let nodes = self.build.function(target).clone();
            self.gives_tuples(target, &nodes);
            for (element, from) in [
                (Element::State, state),
                (Element::Next, next),
                (Element::Reason, reasons),
                (Element::Name, name),
            ] {
                for (size, position) in places(self.build, target, &[element]) {
                    let label = Label::Open(fields::element(size, position));
                    self.framed(from, nodes.result, EdgeKind::Output, label, enter);
                }
                if nodes.guarded {
                    for (size, position) in all_places(callback, &[element]) {
                        let label = Label::Open(fields::element(size, position));
                        self.framed(from, nodes.reason, EdgeKind::Exception, label, enter);
                    }
                }
            }
            if events.others {
                for (size, position) in places(self.build, target, &[Element::Actions]) {
                    let part = self.build.node(self.module, node, Role::State);
                    let label = Label::Open(fields::element(size, position));
                    self.framed(part, nodes.result, EdgeKind::Output, label, enter);
                    self.edge(next, part, EdgeKind::Value, Label::All);
                }
            }
            if callback == Callback::Mode {
                self.framed(done, nodes.result, EdgeKind::Output, Label::All, enter);
            }
            if !matches!(callback, Callback::Terminate | Callback::Finish) {
                self.framed(reasons, nodes.reason, EdgeKind::Exception, Label::All, enter);
            }
            if callback.begins() {
                self.framed(done, nodes.result, EdgeKind::Output, Label::Shape, enter);
                self.framed(done, nodes.end, EdgeKind::Control, Label::All, enter);
                for (size, position) in places(self.build, target, &[Element::Reason]) {
                    let label = Label::Open(fields::element(size, position));
                    self.framed(value, nodes.result, EdgeKind::Output, label, enter);
                }
            }
            let given = Given { argument: args[first], state, next, reasons, name, events };
            self.calls_back(node, (call, done), callback, &nodes, given);
        }
        true
    }

    /// What the behaviour calls a callback with.
    fn calls_back(
        &mut self,
        node: NodeId,
        (call, done): (Call, Node),
        callback: Callback,
        nodes: &FunctionNodes,
        given: Given,
    ) {
        let leave = Frame::Leave(call);
        self.framed(nodes.entry, done, EdgeKind::Call, Label::All, leave);
        let state = callback.state().and_then(|position| nodes.parameter(position));
        if let Some(parameter) = state {
            self.framed(parameter, given.state, EdgeKind::Input, Label::Same, leave);
        }
        let Some(parameter) = nodes.parameter(0) else { return };
        match callback {
            Callback::Init | Callback::Begin => {
                self.framed(parameter, given.argument, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Call => {}
            Callback::Message => {
                self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
            }
            Callback::Continue => {
                self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
                let what = self.build.node(self.module, node, Role::State);
                let label = Label::Open(fields::element(2, 1));
                self.edge(what, given.next, EdgeKind::Value, label);
                self.framed(parameter, what, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Terminate => {
                self.framed(nodes.entry, given.reasons, EdgeKind::Input, Label::All, leave);
                self.framed(parameter, given.reasons, EdgeKind::Input, Label::Same, leave);
            }
            Callback::Event | Callback::AnyEvent => {
                let content = nodes.parameter(1);
                if callback == Callback::Event || given.events.others || given.events.entering {
                    self.framed(nodes.entry, given.name, EdgeKind::Input, Label::All, leave);
                }
                if callback == Callback::AnyEvent
                    && let Some(parameter) = nodes.parameter(2)
                {
                    self.framed(parameter, given.name, EdgeKind::Input, Label::Same, leave);
                }
                if given.events.entering
                    && let Some(content) = content
                {
                    self.framed(content, given.name, EdgeKind::Input, Label::Same, leave);
                }
                if given.events.others {
                    self.framed(nodes.entry, given.next, EdgeKind::Input, Label::All, leave);
                    for parameter in content.into_iter().chain([parameter]) {
                        self.framed(parameter, given.next, EdgeKind::Input, Label::All, leave);
                    }
                }
            }
            Callback::Finish => {
                self.framed(nodes.entry, given.reasons, EdgeKind::Input, Label::All, leave);
                self.framed(parameter, given.reasons, EdgeKind::Input, Label::Same, leave);
                if let Some(parameter) = nodes.parameter(1) {
                    self.framed(parameter, given.name, EdgeKind::Input, Label::Same, leave);
                }
            }
            Callback::Mode => {}
            Callback::Change | Callback::Status | Callback::Replace => {
                for parameter in nodes.parameters() {
                    self.framed(parameter, given.state, EdgeKind::Input, Label::All, leave);
                }
            }
        }
    }

    /// A callback that is called gives a tuple that the behaviour accepts.
    fn gives_tuples(&mut self, target: FunctionId, nodes: &FunctionNodes) {
        if matches!(
            self.build.servers.callback(target),
            None | Some(Callback::Terminate | Callback::Status | Callback::Finish | Callback::Mode)
        ) {
            return;
        }
        let function = self.build.flow.function(target);
        let (module, at) = (function.module, function.node);
        let mut labels = vec![Label::Open(fields::element_of_any(0))];
        let decisive = [Element::Next, Element::Reason, Element::Name];
        for (size, position) in places(self.build, target, &decisive) {
            labels.push(Label::Open(fields::element(size, position)));
        }
        for label in labels {
            let part = self.build.node(module, at, Role::Between);
            self.build.edge(nodes.entry, part, EdgeKind::Declaration, Label::All);
            self.build.edge(part, nodes.result, EdgeKind::Declaration, label);
        }
        self.build.edge(nodes.entry, nodes.result, EdgeKind::Declaration, Label::Shape);
    }

    /// Which events there are besides messages.
    fn has_events(&self, targets: &Targets) -> Events {
        let mut found = Events::default();
        for &target in &targets.called_back {
            let Some(callback) = self.build.servers.callback(target) else { continue };
            match callback {
                Callback::Mode => found.entering |= enters_states(self.build, target),
                Callback::Begin | Callback::Event | Callback::AnyEvent => {
                    found.others |= !gives_replies_only(self.build, target);
                }
                _ => {}
            }
        }
        found
    }

    /// The argument of a call that only those look at who get it, and who they are.
    pub(crate) fn spared(&self, node: NodeId) -> Option<(usize, Readers)> {
        let servers = &self.build.servers;
        if !servers.sends.contains(&(self.module, node)) {
            return None;
        }
        let position = sent_with(self.build, self.module, node)?;
        let Kind::Call { args, .. } = self.tree.kind(node) else { return None };
        let readers = match self.tree.list(args).first().map(|&to| self.tree.kind(to)) {
            Some(Kind::Atom(name)) if servers.names.contains(&name) => Readers::Program,
            Some(Kind::Atom(_)) => Readers::Library,
            _ if servers.has_others => Readers::Library,
            _ => Readers::Strangers,
        };
        (readers != Readers::Library).then_some((position, readers))
    }
}

/// What a behaviour has for its callbacks.
#[derive(Clone, Copy, Debug)]
struct Given {
    argument: Node,
    state: Node,
    next: Node,
    reasons: Node,
    name: Node,
    events: Events,
}

/// Which events a `gen_statem` makes itself.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// Calls for states that are entered.
    entering: bool,
    /// Time-outs, and what actions say; and what is postponed.
    others: bool,
}
