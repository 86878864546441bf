//! Messages: what is received depends on what is sent, as the flow graph says.
//!
//! A receive depends on that the sends are done that can reach it: one that is left out would
//! change which message comes first. What the patterns take out of a message is looked for in the
//! message.
//!
//! A message that a guard refuses, and no other clause takes, is not received: nothing depends on
//! it. But the variables in the head of that clause have its values before the guard is asked, so
//! a slice for one of them begins at such messages, too ([`ModuleNodes::refused`]); for which part
//! of the message it asks is not looked at.
//!
//! [`ModuleNodes::refused`]: super::nodes::ModuleNodes::refused
//!
//! A process that ends takes those with it that are linked to it, and they give its reason on: the
//! reason of an exit signal may be that of any of them ([`super::ends`]).

use flow::{EdgeKind as FlowEdge, VertexData, VertexKind};
use syntax::ast::{BinaryOp, Kind};

use super::behaviours::{self, Callback};
use super::build::Build;
use super::fields;
use dependence::{EdgeKind, Label, Node};

/// What is sent, and that it is sent.
#[derive(Default)]
struct Sent {
    messages: Vec<(Node, Label)>,
    done: Vec<Node>,
}

pub(crate) fn connect(build: &mut Build<'_>) {
    let flow = build.flow;
    for edge in flow.graph.edges.iter().filter(|edge| edge.kind == FlowEdge::Message) {
        let from = *flow.graph.vertex(edge.from);
        let to = *flow.graph.vertex(edge.to);
        let sent = sent(build, &from, &to);
        received(build, &to, &sent);
    }
    for refused in &flow.refused {
        let from = *flow.graph.vertex(refused.from);
        let to = *flow.graph.vertex(refused.to);
        let sent = sent(build, &from, &to);
        let tree = &flow.modules[to.site.module].tree;
        let Kind::Receive { clauses, .. } = tree.kind(to.site.node) else { continue };
        let Some(&clause) = tree.list(clauses).get(refused.clause as usize - 1) else { continue };
        let looked_at = build.modules[to.site.module].refused.entry(clause).or_default();
        looked_at.extend(sent.messages.into_iter().map(|(message, _)| message));
        looked_at.extend(sent.done);
    }
}

fn sent(build: &Build<'_>, from: &VertexData, to: &VertexData) -> Sent {
    let mut found = Sent::default();
    let nodes = &build.modules[from.site.module];
    let tree = &build.flow.modules[from.site.module].tree;
    match (from.kind, tree.kind(from.site.node)) {
        (_, Kind::BinaryOp { op: BinaryOp::Send, right, .. }) => {
            found.messages.extend(nodes.value(right).map(|value| (value, Label::Same)));
            found.done.extend(nodes.effects.get(&from.site.node));
        }
        (_, Kind::Call { args, .. }) => {
            found.done.extend(nodes.effects.get(&from.site.node));
            let args = tree.list(args);
            match (build.program.modules[from.site.module.index()].target(from.site.node), args) {
                (Some(target), &[_, message, ..]) if is_send(target) => {
                    found.messages.extend(nodes.value(message).map(|value| (value, Label::Same)));
                }
                _ => {
                    // Callbacks, and those who wait for an answer, get it as it is; who receives it
                    // otherwise sees what it is wrapped in.
                    let is_bare = behaviours::is_function(to)
                        || behaviours::sent_with(build, to.site.module, to.site.node).is_some();
                    match behaviours::sent_with(build, from.site.module, from.site.node)
                        .filter(|_| is_bare)
                        .and_then(|position| nodes.value(*args.get(position)?))
                    {
                        Some(message) => found.messages.push((message, Label::Same)),
                        None => {
                            let values = args.iter().filter_map(|&arg| nodes.value(arg));
                            found.messages.extend(values.map(|value| (value, Label::All)));
                        }
                    }
                }
            }
        }
        // The end of a function: of a callback, or of a process.
        _ => {
            let function = build.function(from.function);
            let answers = build.servers.callback(from.function).is_some()
                && behaviours::sent_with(build, to.site.module, to.site.node).is_some();
            if answers {
                for (size, position) in
                    behaviours::places(build, from.function, &[behaviours::Element::Reply])
                {
                    let label = Label::Open(fields::element(size, position));
                    found.messages.push((function.result, label));
                }
                let reply = build.servers.reply(from.function);
                found.messages.extend(reply.map(|reply| (reply, Label::Same)));
            } else {
                found.messages.push((function.result, Label::All));
                let handed_on = build.ends.handed_on(build, from.function);
                found.messages.extend(handed_on.into_iter().map(|reason| (reason, Label::All)));
            }
            found.messages.push((function.reason, Label::All));
            found.done.push(function.end);
        }
    }
    found
}

fn is_send(target: program::resolve::Target) -> bool {
    let program::resolve::Target::Remote(module, (name, _)) = target else { return false };
    module == atom::known::ERLANG && matches!(name.as_str(), "send" | "send_nosuspend")
}

fn received(build: &mut Build<'_>, to: &VertexData, sent: &Sent) {
    let mut values: Vec<Node> = Vec::new();
    let mut actions: Vec<Node> = Vec::new();
    let site = (to.site.module, to.site.node);
    let nodes = &build.modules[to.site.module];
    match to.kind {
        VertexKind::Receive if build.mailboxes.contains_key(&site) => {
            values.extend(build.mailboxes.get(&site));
            actions.extend(nodes.effects.get(&to.site.node));
        }
        _ if behaviours::is_function(to) => {
            let function = build.function(to.function).clone();
            actions.push(function.entry);
            if let Some(callback) = build.servers.callback(to.function) {
                let (content, kind) = if callback.handles_events() { (1, 0) } else { (0, 1) };
                if callback == Callback::Call || callback.handles_events() {
                    // Who asks.
                    actions.extend(function.parameter(kind));
                }
                // What is sent to a server is handled: it would end otherwise.
                values.extend(function.parameter(content));
                for &done in &sent.done {
                    build.jump(done, function.entry, EdgeKind::Message, Label::All);
                }
            } else {
                values.extend(function.parameters());
            }
        }
        _ => {
            values.extend(nodes.value(to.site.node));
            actions.extend(nodes.effects.get(&to.site.node));
        }
    }
    for &value in &values {
        for &(message, label) in &sent.messages {
            build.jump(value, message, EdgeKind::Message, label);
        }
    }
    for &action in values.iter().chain(&actions) {
        for &done in &sent.done {
            build.jump(action, done, EdgeKind::Message, Label::All);
        }
    }
}
