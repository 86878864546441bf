//! A search as text, to go on with it later: what is left to be explored, and who is who.
//!
//! ```text
//! done: 120 0 0 0 0 3071         executions, abandoned, too deep, beyond the limit, early looks,
//!                                events
//! pids: 80/0 80/1                who started processes, as in witnesses
//! actors: 80 81 82 t5            actors in the order of their numbers, as in witnesses
//! node: 0 - 0                    its number, its parent, its cost
//! by: 1.1;-;0.0;                 the step from the parent
//! asleep: 1.1;-;0.0; …
//! begun: 1 2.1;-;1.1; p- …       branches that were begun: the child or `-`, the step, whether it
//!                                was begun with a sequence, whether it is done
//! left: 0 2.1;<1.3.0;1.1;a5:52:0 1 …      the tree, each step with its depth
//! ```
//!
//! A step is its actor's number and its own, what it takes (`-`, `!` for giving up, `<` and a
//! message), what made the actor, and its footprint: kind, class, owner and part of each access.
//! Nodes come after their parents. Nothing in it depends on a run of ours: registered names, which
//! are numbers in footprints, are written as `@` and the hexadecimal bytes of their text.

use std::fmt::{self, Write as _};
use std::str::Split;
use std::sync::Arc;

use atom::Atom;
use machine::Pid;
use machine::footprint::{Access, Class, Footprint, Kind, Object};
use machine::step::Actor;
use rustc_hash::FxHashMap;

use crate::event::{Id, MessageId, Step, Take};
use crate::schedule;
use crate::search::Statistics;
use crate::tree::{Begun, Node, NodeId, Shared};
use crate::wakeup::Branch;

/// A search that was stopped.
#[derive(Debug, Default)]
pub struct Saved {
    pub statistics: Statistics,
    /// Who started the processes that have numbers.
    pub pids: Vec<(Pid, u32)>,
    actors: Vec<Actor>,
    /// Each after its parent.
    nodes: Vec<Node>,
}

/// Why a file is no search that was saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A line without a colon.
    NoColon(String),
    /// A key that is not known.
    Key(String),
    /// A line that should begin with another word.
    Line {
        line: String,
        key: String,
    },
    /// Something that is not what it should be.
    NotA {
        what: &'static str,
        text: String,
    },
    /// Not as many numbers as there should be.
    Numbers {
        text: String,
        count: usize,
    },
    /// A branch at a depth that its tree does not have.
    Tree {
        before: String,
    },
    NoNode(usize),
    /// A class of shared objects that this version does not know: to take it for another would make
    /// two steps commute that do not.
    NoClass(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoColon(line) => write!(f, "`{line}` has no colon"),
            Error::Key(key) => write!(f, "`{key}` is not known"),
            Error::Line { line, key } => write!(f, "`{line}` should begin with `{key}`"),
            Error::NotA { what, text } => write!(f, "`{text}` is no {what}"),
            Error::Numbers { text, count } => write!(f, "`{text}` should be {count} numbers"),
            Error::Tree { before } => write!(f, "the tree is broken before `{before}`"),
            Error::NoNode(node) => write!(f, "there is no node {node}"),
            Error::NoClass(number) => write!(f, "there is no class {number} of what is shared"),
        }
    }
}

impl std::error::Error for Error {}

fn no(what: &'static str, text: &str) -> Error {
    Error::NotA { what, text: text.to_owned() }
}

impl Saved {
    /// What the workers have left, which is taken from them.
    pub(crate) fn of(shared: &Shared, statistics: Statistics, pids: Vec<(Pid, u32)>) -> Saved {
        let nodes = shared.with(|tree| {
            // Numbers without gaps.
            let all = std::mem::take(&mut tree.nodes);
            let numbers: FxHashMap<NodeId, NodeId> =
                all.keys().enumerate().map(|(number, id)| (*id, number)).collect();
            let renumber = |id: &mut Option<NodeId>| {
                *id = id.and_then(|id| numbers.get(&id).copied());
            };
            let mut nodes: Vec<Node> = all.into_values().collect();
            for node in &mut nodes {
                (node.claimed, node.listed) = (false, false);
                renumber(&mut node.parent);
                node.begun.iter_mut().for_each(|begun| renumber(&mut begun.child));
            }
            nodes
        });
        Saved { statistics, pids, actors: shared.actors(), nodes }
    }

    /// Whether nothing is left to be done.
    pub fn is_done(&self) -> bool {
        self.nodes.iter().all(|node| node.wakeup.is_empty())
    }

    pub fn to_text(&self) -> String {
        let Statistics { executions, abandoned, too_deep, beyond, early_looks, events, .. } =
            self.statistics;
        let mut text = format!(
            "done: {executions} {abandoned} {too_deep} {beyond} {early_looks} {events}\npids:"
        );
        for (parent, nth) in &self.pids {
            let _ = write!(text, " {}/{nth}", parent.0);
        }
        text.push_str("\nactors:");
        for actor in &self.actors {
            let _ = write!(text, " {}", schedule::actor_text(*actor));
        }
        text.push('\n');
        for (number, node) in self.nodes.iter().enumerate() {
            write_node(node, number, &mut text);
        }
        text
    }

    /// Reads what [`Saved::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Saved, Error> {
        let mut saved = Saved::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (key, value) =
                line.split_once(':').ok_or_else(|| Error::NoColon(line.to_owned()))?;
            let words = || value.split(' ').filter(|word| !word.is_empty());
            match key {
                "done" => {
                    let [executions, abandoned, too_deep, beyond, early_looks, events] =
                        numbers(value)?;
                    saved.statistics = Statistics {
                        executions,
                        abandoned,
                        too_deep,
                        beyond,
                        early_looks,
                        events,
                        ..Statistics::default()
                    };
                }
                "pids" => saved.pids = words().map(maker).collect::<Result<_, _>>()?,
                "actors" => saved.actors = words().map(actor).collect::<Result<_, _>>()?,
                "node" => {
                    let node = read_node(value, &mut lines, &saved.nodes, &saved.actors)?;
                    saved.nodes.push(node);
                }
                _ => return Err(Error::Key(key.to_owned())),
            }
        }
        let count = saved.nodes.len();
        let children = saved.nodes.iter().flat_map(|node| &node.begun).filter_map(|b| b.child);
        match children.into_iter().find(|child| *child >= count) {
            Some(child) => Err(Error::NoNode(child)),
            None => Ok(saved),
        }
    }

    /// Prepares workers to go on.
    pub(crate) fn restore(self, shared: &Shared) {
        // Whether anybody was is not known any more.
        shared.note_watching();
        for actor in &self.actors {
            shared.number(*actor);
        }
        shared.with(|tree| self.nodes.into_iter().for_each(|node| tree.restore(node)));
    }
}

fn write_node(node: &Node, number: usize, text: &mut String) {
    let name = |id: Option<NodeId>| id.map_or("-".to_owned(), |id| id.to_string());
    let _ = writeln!(text, "node: {number} {} {}", name(node.parent), node.cost);
    text.push_str("by:");
    if let Some(step) = &node.by {
        write_step(step, text);
    }
    text.push_str("\nasleep:");
    for step in &node.sleep {
        write_step(step, text);
    }
    text.push_str("\nbegun:");
    for begun in &node.begun {
        let _ = write!(text, " {}", name(begun.child));
        write_step(&begun.step, text);
        let flag = |on, letter| if on { letter } else { '-' };
        let _ = write!(text, " {}{}", flag(begun.prescribed, 'p'), flag(begun.done, 'd'));
    }
    text.push_str("\nleft:");
    let mut left: Vec<(usize, &Branch)> =
        node.wakeup.iter().rev().map(|branch| (0, branch)).collect();
    while let Some((depth, branch)) = left.pop() {
        let _ = write!(text, " {depth}");
        write_step(&branch.step, text);
        left.extend(branch.then.iter().rev().map(|branch| (depth + 1, branch)));
    }
    text.push('\n');
}

fn write_step(step: &Step, text: &mut String) {
    let id = |id: Id| format!("{}.{}", id.actor, id.seq);
    let take = match step.take {
        Take::Nothing => "-".to_owned(),
        Take::Timeout => "!".to_owned(),
        Take::Tie => "=".to_owned(),
        Take::Message(message) => format!("<{}.{}", id(message.sent_by), message.nth),
        Take::Order(rank) => format!("#{rank}"),
    };
    let _ = write!(text, " {};{take};{};", id(step.id), id(step.made_by));
    for (nth, access) in step.footprint().0.iter().enumerate() {
        let kind = match access.kind {
            Kind::Read => 'r',
            Kind::Add => 'a',
            Kind::Assign(_) => 'v',
            Kind::Write => 'w',
            Kind::Peek => 'p',
            Kind::Change => 'c',
        };
        let Object { class, owner, part } = access.object.portable();
        let class = class.saved();
        let comma = if nth == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{kind}{class}:");
        match access.object.name() {
            Some(name) => {
                text.push('@');
                name.as_str().bytes().for_each(|byte| {
                    let _ = write!(text, "{byte:02x}");
                });
            }
            None => {
                let _ = write!(text, "{owner:x}");
            }
        }
        let _ = write!(text, ":{part:x}");
        if let Kind::Assign(value) = access.kind {
            let _ = write!(text, ":{value:x}");
        }
    }
}

/// Exactly so many numbers.
fn numbers<const N: usize>(value: &str) -> Result<[u64; N], Error> {
    let list: Option<Vec<u64>> = value.split_whitespace().map(|word| word.parse().ok()).collect();
    let array = list.and_then(|list| <[u64; N]>::try_from(list).ok());
    array.ok_or_else(|| Error::Numbers { text: value.to_owned(), count: N })
}

fn maker(word: &str) -> Result<(Pid, u32), Error> {
    let parts = word
        .split_once('/')
        .and_then(|(parent, nth)| Some((Pid(parent.parse().ok()?), nth.parse().ok()?)));
    parts.ok_or_else(|| no("parent/number", word))
}

fn actor(word: &str) -> Result<Actor, Error> {
    schedule::actor_of(word).ok_or_else(|| no("actor", word))
}

fn read_node<'a>(
    head: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    nodes: &[Node],
    actors: &[Actor],
) -> Result<Node, Error> {
    let wrong = || no("node", head);
    let mut value = |key: &str| {
        let line = lines.next().unwrap_or_default();
        let (found, wanted) = (line.to_owned(), key.to_owned());
        line.strip_prefix(key).ok_or(Error::Line { line: found, key: wanted })
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let [number, parent, cost] = words[..] else { return Err(wrong()) };
    if number.parse() != Ok(nodes.len()) {
        return Err(wrong());
    }
    let mut node = Node { cost: cost.parse().map_err(|_| wrong())?, ..Node::default() };
    let by = value("by:")?.trim();
    if parent != "-" {
        let parent = parent.parse::<usize>().ok().filter(|at| *at < nodes.len());
        let parent = parent.ok_or_else(wrong)?;
        node.parent = Some(parent);
        node.depth = nodes[parent].depth + 1;
        node.by = Some(Arc::new(read_step(by, actors)?));
    }
    for word in value("asleep:")?.split_whitespace() {
        node.sleep.push(Arc::new(read_step(word, actors)?));
    }
    let mut words = value("begun:")?.split_whitespace();
    while let Some(child) = words.next() {
        let child = match child {
            "-" => None,
            number => Some(number.parse().map_err(|_| wrong())?),
        };
        let step = Arc::new(read_step(words.next().unwrap_or_default(), actors)?);
        let flags = words.next().unwrap_or_default();
        let (prescribed, done) = (flags.contains('p'), flags.contains('d'));
        node.begun.push(Begun { step, child, prescribed, done });
    }
    node.wakeup = read_tree(value("left:")?, actors)?;
    Ok(node)
}

fn read_tree(text: &str, actors: &[Actor]) -> Result<Vec<Branch>, Error> {
    let mut words = text.split_whitespace();
    // The branches above the one to come, and before them those that are whole.
    let mut open: Vec<Branch> = Vec::new();
    let mut whole: Vec<Branch> = Vec::new();
    let mut close = |open: &mut Vec<Branch>, depth: usize| {
        while open.len() > depth {
            let Some(branch) = open.pop() else { break };
            match open.last_mut() {
                Some(parent) => parent.then.push(branch),
                None => whole.push(branch),
            }
        }
    };
    while let (Some(depth), Some(step)) = (words.next(), words.next()) {
        let depth = depth.parse::<usize>().ok().filter(|depth| *depth <= open.len());
        let depth = depth.ok_or_else(|| Error::Tree { before: step.to_owned() })?;
        close(&mut open, depth);
        let step = Arc::new(read_step(step, actors)?);
        open.push(Branch { step, then: Vec::new(), is_beside: true });
    }
    close(&mut open, 0);
    Ok(whole)
}

fn read_step(word: &str, actors: &[Actor]) -> Result<Step, Error> {
    let mut parts = word.split(';');
    let mut head = || {
        let (id, take) = (read_id(parts.next()?)?, parts.next()?);
        let made_by = read_id(parts.next()?)?;
        let take = match take {
            "-" => Take::Nothing,
            "!" => Take::Timeout,
            "=" => Take::Tie,
            order if order.starts_with('#') => Take::Order(order[1..].parse().ok()?),
            message => {
                let (sent_by, nth) = message.strip_prefix('<')?.rsplit_once('.')?;
                Take::Message(MessageId { sent_by: read_id(sent_by)?, nth: nth.parse().ok()? })
            }
        };
        let actor = *actors.get((id.actor as usize).checked_sub(1)?)?;
        Some((id, actor, take, made_by, parts.next()?))
    };
    let (id, actor, take, made_by, accesses) = head().ok_or_else(|| no("step", word))?;
    let accesses = accesses.split(',').filter(|access| !access.is_empty());
    let footprint = Footprint(accesses.map(read_access).collect::<Result<_, _>>()?);
    Ok(Step::new(id, actor, take, made_by, footprint))
}

fn read_owner(text: &str) -> Option<u64> {
    let Some(bytes) = text.strip_prefix('@') else { return u64::from_str_radix(text, 16).ok() };
    let byte = |at: usize| u8::from_str_radix(bytes.get(at..at + 2)?, 16).ok();
    let name: Option<Vec<u8>> = (0..bytes.len()).step_by(2).map(byte).collect();
    let name = String::from_utf8(name?).ok()?;
    Some(u64::from(Atom::new(&name).index()) + 1)
}

fn read_id(text: &str) -> Option<Id> {
    let (actor, seq) = text.split_once('.')?;
    Some(Id { actor: actor.parse().ok()?, seq: seq.parse().ok()? })
}

fn read_access(text: &str) -> Result<Access, Error> {
    let mut parts = text.split(':');
    let head = parts.next().and_then(|head| {
        let letter = head.chars().next()?;
        Some((letter, head.get(1..)?.parse::<usize>().ok()?))
    });
    let wrong = || no("access", text);
    let (letter, number) = head.ok_or_else(wrong)?;
    let class = Class::of_saved(number).ok_or(Error::NoClass(number))?;
    let object = |parts: &mut Split<'_, char>| {
        let owner = read_owner(parts.next()?)?;
        Some(Object { class, owner, part: u64::from_str_radix(parts.next()?, 16).ok()? })
    };
    let object = object(&mut parts).ok_or_else(wrong)?;
    let kind = match (letter, parts.next()) {
        ('r', None) => Kind::Read,
        ('a', None) => Kind::Add,
        ('v', Some(value)) => Kind::Assign(u64::from_str_radix(value, 16).map_err(|_| wrong())?),
        ('w', None) => Kind::Write,
        ('p', None) => Kind::Peek,
        ('c', None) => Kind::Change,
        _ => return Err(wrong()),
    };
    Ok(Access { object, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(access: &str) -> Result<String, Error> {
        let text =
            format!("actors: 80\nnode: 0 - 0\nby:\nasleep: 1.1;-;0.0;{access}\nbegun:\nleft:\n");
        Saved::from_text(&text).map(|saved| saved.to_text())
    }

    /// Every class comes back as it was.
    #[test]
    fn classes_are_kept() {
        for class in Class::ALL {
            let access = format!("w{}:@61:7", class.saved());
            let text = read(&access).expect("a step");
            let kept = Saved::from_text(&text).expect("what was written").nodes;
            let step = kept[0].sleep.first().expect("a step");
            assert_eq!(step.footprint().0[0].object.class, *class);
        }
    }

    #[test]
    fn a_class_that_is_not_known_is_an_error() {
        let number = Class::COUNT;
        assert_eq!(read(&format!("r6:@61:0,w{number}:51:0")), Err(Error::NoClass(number)));
        assert_eq!(read("w:51:0"), Err(no("access", "w:51:0")));
    }
}
