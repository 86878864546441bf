//! Where the search loses a class of executions: for whoever looks for the reason.
//!
//! The executions of a search, in its order, are a tree. A class that is missing belongs into the
//! subtree of the first branch of a state that it can begin with. Where there is none, no race of
//! what was explored from there has asked for it.

use std::fmt::Write as _;

use explore::dependence::dependent;
use explore::event::{Event, Take};
use explore::{Bounds, Search};
use machine::step::Actor;

use super::{Manner, machine_in};

/// An event, by names that are the same in all searches.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Name {
    actor: Actor,
    seq: u32,
    take: String,
}

fn names(events: &[&Event]) -> Vec<Name> {
    let actor = |number| events.iter().find(|event| event.id.actor == number).map(|it| it.actor);
    let take = |event: &Event| match event.take {
        Take::Message(message) => {
            format!("{:?} {} {}", actor(message.sent_by.actor), message.sent_by.seq, message.nth)
        }
        other => format!("{other:?}"),
    };
    let name = |event: &&Event| Name { actor: event.actor, seq: event.id.seq, take: take(event) };
    events.iter().map(name).collect()
}

fn told(event: &Event, name: &Name) -> String {
    format!("{:?}.{} {} {:?} {:?}", name.actor, name.seq, name.take, event.label, event.footprint())
}

/// Where a search with these bounds leaves the way to an execution.
pub fn lost(body: &str, bounds: Bounds, missing: &[Event]) -> String {
    let mut search = Search::new(machine_in(body, Manner::of(&bounds)), bounds);
    let mut tree: Vec<Vec<(Name, String)>> = Vec::new();
    search.run(|execution| {
        let names = names(&execution.events);
        let told = execution.events.iter().zip(names).map(|(event, name)| {
            let told = told(event, &name);
            (name, told)
        });
        tree.push(told.collect());
        true
    });
    let missing: Vec<&Event> = missing.iter().collect();
    let mut rest: Vec<(&Event, Name)> = missing.iter().copied().zip(names(&missing)).collect();
    let mut text = String::new();
    for depth in 0.. {
        let mut branches: Vec<&(Name, String)> = Vec::new();
        for step in tree.iter().filter_map(|execution| execution.get(depth)) {
            if !branches.iter().any(|(name, _)| *name == step.0) {
                branches.push(step);
            }
        }
        let found = branches.iter().find_map(|(name, _)| {
            let at = rest.iter().position(|(_, other)| other == name)?;
            let is_first = !rest[..at].iter().any(|(event, _)| dependent(event, rest[at].0));
            is_first.then_some((name.clone(), at))
        });
        let Some((name, at)) = found else {
            let _ = writeln!(text, "lost after {depth} events; explored from there:");
            for (_, told) in &branches {
                let _ = writeln!(text, "  {told}");
            }
            text.push_str("left of the missing one:\n");
            for (event, name) in &rest {
                let _ = writeln!(text, "  {}", told(event, name));
            }
            return text;
        };
        let event = rest.remove(at).0;
        let _ = writeln!(text, "{} ({} branches)", told(event, &name), branches.len());
        tree.retain(|execution| execution.get(depth).is_some_and(|(other, _)| *other == name));
    }
    text
}
