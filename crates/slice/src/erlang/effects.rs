//! State that outlives calls: what is written at one place and read at another without being handed
//! over.
//!
//! A function of the library (`flow::effects`) reads or writes a *state*: the process dictionary by
//! key, tables, registered names, and so on. A read depends on all writes to the same state,
//! wherever they are: that keeps more than the runs need, and never less. What is written under one
//! literal key, or into one table with a literal name, is not read under another.
//!
//! Functions with a model that `keep`s and finds what is `kept` hand it over part by part: what is
//! taken out of a row that is looked up comes from the same place of the rows that were inserted.
//! Where tables have another key position than the first, or where it is not known, they have no
//! such model.

use std::collections::BTreeMap;

use atom::Atom;
use flow::ModuleId;
use flow::effects::Effect;
use program::resolve::Target;
use syntax::ast::{Kind, Module, NodeId};

use super::behaviours;
use super::build::Build;
use super::expressions::Walker;
use super::fields::literal_key;
use super::library;
use super::nodes::Role;
use super::{ends, selection, types};
use dependence::{EdgeKind, Label, Node};

/// How a function touches a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Touch {
    Reads,
    Writes,
    Both,
}

use Touch::{Both, Reads, Writes};

/// The states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Space {
    Dictionary,
    Tables,
    Names,
    Terms,
    Environment,
    Files,
    Input,
    Random,
    Counters,
    Timers,
    /// Links, monitors, flags, and signals that end processes.
    Processes,
    /// Whether exit signals end a process.
    Trapping,
    /// What was sent and is not received yet.
    Mailboxes,
    /// What is asked of who prints.
    Output,
    Code,
    /// That of a module that keeps something.
    Other(&'static str),
}

impl Space {
    /// The state that `flow::effects` calls by this name.
    fn named(name: &'static str) -> Space {
        match name {
            "dictionary" => Space::Dictionary,
            "tables" => Space::Tables,
            "names" => Space::Names,
            "terms" => Space::Terms,
            "environment" => Space::Environment,
            "files" => Space::Files,
            "input" => Space::Input,
            "random" => Space::Random,
            "counters" => Space::Counters,
            "timers" => Space::Timers,
            "processes" => Space::Processes,
            "code" => Space::Code,
            other => Space::Other(other),
        }
    }
}

/// Where in a state something is: in which table, and under which key. What is not known may be
/// any.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Key {
    pub(crate) table: Option<String>,
    pub(crate) key: Option<String>,
}

impl Key {
    fn meets(&self, other: &Key) -> bool {
        let same = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        same(&self.table, &other.table) && same(&self.key, &other.key)
    }
}

/// What a reader looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Wants {
    /// What was written, part by part.
    Content,
    /// Whether there is a place to write to.
    Place,
}

#[derive(Debug)]
struct Writer {
    key: Key,
    done: Node,
    /// What it writes; `None` if that is part of what it does.
    content: Option<Node>,
    /// Whether it writes to a place that others have made.
    fills: bool,
    /// The ends of processes that end the place.
    ends: Vec<Node>,
}

/// Who touches a state.
#[derive(Debug, Default)]
struct Users {
    readers: Vec<(Wants, Key, Node, Label)>,
    writers: Vec<Writer>,
}

/// Who reads and writes which state.
#[derive(Debug, Default)]
pub(crate) struct States {
    users: BTreeMap<Space, Users>,
}

impl States {
    fn reads(&mut self, space: Space, key: Key, node: Node) {
        self.looks(space, Wants::Content, key, node);
    }

    fn looks(&mut self, space: Space, wants: Wants, key: Key, node: Node) {
        let readers = &mut self.users.entry(space).or_default().readers;
        readers.push((wants, key, node, Label::All));
    }

    fn writes(&mut self, space: Space, key: Key, done: Node, ends: Vec<Node>) {
        let writer = Writer { key, done, content: None, fills: false, ends };
        self.users.entry(space).or_default().writers.push(writer);
    }

    /// A receive sees what becomes of processes.
    pub(crate) fn receives(&mut self, node: Node) {
        self.reads(Space::Processes, Key::default(), node);
    }

    /// Something is sent, or taken out.
    pub(crate) fn fills_mailbox(&mut self, done: Node, message: Option<Node>) {
        let writer =
            Writer { key: Key::default(), done, content: message, fills: false, ends: Vec::new() };
        self.users.entry(Space::Mailboxes).or_default().writers.push(writer);
    }

    /// A receive may get what is printed.
    pub(crate) fn prints_to(&mut self, mailbox: Node) {
        self.reads(Space::Output, Key::default(), mailbox);
    }

    /// A send to a name sees what the name means.
    pub(crate) fn sends(&mut self, node: Node) {
        self.reads(Space::Names, Key::default(), node);
    }

    /// A call puts something into the state of its module; without content it takes something out.
    pub(crate) fn keeps(&mut self, module: Atom, key: Key, done: Node, content: Option<Node>) {
        let Some(space) = kept_in(module) else { return };
        let users = self.users.entry(space).or_default();
        if space == Space::Tables {
            let place = Key { key: None, ..key.clone() };
            users.readers.push((Wants::Place, place, done, Label::All));
        }
        users.writers.push(Writer { key, done, content, fills: true, ends: Vec::new() });
    }

    /// A node is what was kept there.
    pub(crate) fn finds(&mut self, module: Atom, key: Key, node: Node) {
        let Some(space) = kept_in(module) else { return };
        let readers = &mut self.users.entry(space).or_default().readers;
        readers.push((Wants::Content, key, node, Label::Same));
    }

    /// From every read to every write of the same state; each through one node for each key.
    pub(crate) fn connect(build: &mut Build<'_>) {
        let states = std::mem::take(&mut build.states);
        for users in states.users.values() {
            let mut made: BTreeMap<(Wants, &Key), Node> = BTreeMap::new();
            for (wants, key, reader, label) in &users.readers {
                let state = match made.get(&(*wants, key)) {
                    Some(&state) => state,
                    None => {
                        let state = users.state(build, *wants, key);
                        made.insert((*wants, key), state);
                        state
                    }
                };
                build.jump(*reader, state, EdgeKind::State, *label);
            }
        }
    }
}

impl Users {
    /// A node for what is under a key.
    fn state(&self, build: &mut Build<'_>, wants: Wants, key: &Key) -> Node {
        let state = build.node_of_none(Role::State);
        for writer in self.writers.iter().filter(|writer| writer.key.meets(key)) {
            if wants == Wants::Place && writer.fills {
                continue;
            }
            for &end in [&writer.done].into_iter().chain(&writer.ends) {
                build.jump(state, end, EdgeKind::State, Label::All);
            }
            if let (Wants::Content, Some(content)) = (wants, writer.content) {
                build.jump(state, content, EdgeKind::State, Label::Same);
            }
        }
        state
    }
}

/// The state of a module whose functions keep something by their models.
fn kept_in(module: Atom) -> Option<Space> {
    match module.as_str() {
        "erlang" => Some(Space::Dictionary),
        "ets" => Some(Space::Tables),
        "persistent_term" => Some(Space::Terms),
        _ => None,
    }
}

/// A key of a table. Some tables take `1` and `1.0` for the same.
pub(crate) fn table_key(tree: &Module, node: NodeId) -> Option<String> {
    literal_key(tree, node).filter(|_| !matches!(tree.kind(node), Kind::Float(_)))
}

fn touches(module: &str, name: &str, arity: usize) -> Option<(Space, Touch)> {
    let touched = flow::effects::of(module, name, arity as u32).touched?;
    let touch = if touched.changed { Both } else { Reads };
    Some((Space::named(touched.state), touch))
}

/// Connects a call with the states that it touches.
pub(crate) fn connect(
    walker: &mut Walker<'_, '_>,
    node: NodeId,
    args: &[NodeId],
    done: Node,
    value: Node,
) {
    let Some((module, name)) = library::name(walker.build, walker.module, node) else { return };
    let states = &mut walker.build.states;
    match (module.as_str(), name.as_str()) {
        ("erlang", "process_info") => {
            for space in [Space::Mailboxes, Space::Dictionary, Space::Names] {
                states.reads(space, Key::default(), value);
            }
        }
        // It is asked for in a message, and answered by one.
        ("io", _) if walker.build.has_io_servers => {
            states.writes(Space::Output, Key::default(), done, Vec::new());
            states.reads(Space::Mailboxes, Key::default(), done);
        }
        _ if acts(walker.build, walker.module, node) => {
            walker.build.states.fills_mailbox(done, None);
        }
        _ => {}
    }
    let meant = process_meant(module, name.as_str(), args.len()).and_then(|at| args.get(at));
    if meant.is_some_and(|&meant| may_be_name(walker, meant)) {
        walker.build.states.reads(Space::Names, Key::default(), done);
    }
    // A process that does not end with others in the program must not do so in the slice.
    if matches!((module.as_str(), name.as_str()), ("erlang", "process_flag" | "unlink")) {
        walker.build.states.writes(Space::Trapping, Key::default(), done, Vec::new());
    }
    if may_link(walker.build, walker.module, node) {
        walker.build.states.reads(Space::Trapping, Key::default(), done);
    }
    let Some((space, touch)) = touches(module.as_str(), name.as_str(), args.len()) else { return };
    let tree = &walker.tree;
    let key = match (space, args.first()) {
        (Space::Dictionary, Some(&key)) => Key { table: None, key: literal_key(tree, key) },
        (Space::Tables, Some(_)) if makes_table(walker.build, walker.module, node) => {
            Key { table: selection::table(walker.build, walker.module, node), key: None }
        }
        (Space::Tables, Some(&table)) if name.as_str() != "rename" => {
            Key { table: selection::table(walker.build, walker.module, table), key: None }
        }
        _ => Key::default(),
    };
    // Making and deleting a table has nothing to do with what is in it.
    let wants = match (space, name.as_str(), args.len()) {
        (Space::Tables, "new" | "give_away" | "setopts", _) | (Space::Tables, "delete", 1) => {
            Wants::Place
        }
        _ => Wants::Content,
    };
    if touch != Writes {
        // What a send sees decides where it goes, not what it gives.
        let reader =
            if space == Space::Names && name.as_str().starts_with("send") { done } else { value };
        walker.build.states.looks(space, wants, key.clone(), reader);
    }
    if touch != Reads {
        // A table ends with the process that it belongs to.
        let ends = match (space, name.as_str()) {
            (Space::Tables, "new") => walker.build.ends.of_function(walker.build, walker.function),
            (Space::Tables, "give_away") => walker.build.ends.of_any(),
            _ => Vec::new(),
        };
        walker.build.states.writes(space, key.clone(), done, ends);
        if space != Space::Dictionary {
            // Whether and how it changes the state may depend on the state.
            walker.build.states.looks(space, wants, key, done);
        }
    }
}

/// The position of an argument of a function of the library that says which process is meant,
/// perhaps by its name.
fn process_meant(module: Atom, name: &str, arity: usize) -> Option<usize> {
    match behaviours::is_module(module) {
        true => (!name.starts_with("start")).then_some(0),
        false => flow::effects::of(module.as_str(), name, arity as u32).process,
    }
}

/// Whether an expression may be the name of a process, perhaps with that of a node.
fn may_be_name(walker: &Walker<'_, '_>, node: NodeId) -> bool {
    types::of(walker.build, walker.module, node) & (types::ATOM | types::TUPLE) != 0
}

/// Whether a call of the library does something that other processes may see, besides answering who
/// asked.
pub(crate) fn acts(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let tree = &build.flow.modules[module].tree;
    let Kind::Call { callee, args } = tree.kind(node) else { return false };
    let Some((of, name)) = library::name(build, module, node) else {
        // A module that is computed may be any.
        let target = build.program.modules[module.index()].target(node);
        return matches!(target, None | Some(Target::Dynamic))
            && matches!(tree.kind(callee), Kind::Remote { .. });
    };
    let name = name.as_str();
    if behaviours::is_module(of) {
        return !matches!(name, "reply");
    }
    match touches(of.as_str(), name, args.len as usize) {
        Some((Space::Dictionary | Space::Random | Space::Input, _)) => false,
        Some((Space::Names, Reads)) => name.starts_with("send"),
        Some((_, Reads)) => false,
        Some(_) => true,
        None => flow::effects::of(of.as_str(), name, args.len).has(Effect::Acts),
    }
}

/// Whether a call of the library does this.
pub(crate) fn does(build: &Build<'_>, module: ModuleId, node: NodeId, effect: Effect) -> bool {
    library::effects(build, module, node).is_some_and(|effects| effects.has(effect))
}

/// Whether a call makes it possible to notice that a process ends.
pub(crate) fn watches(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    does(build, module, node, Effect::Watches) || ends::are_told(build, module, node)
}

/// Whether a call may tell what became of another process, or of what processes share.
pub(crate) fn looks_at_others(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    if watches(build, module, node) {
        return true;
    }
    let Some((of, name)) = library::name(build, module, node) else { return false };
    let Kind::Call { args, .. } = build.flow.modules[module].tree.kind(node) else {
        return false;
    };
    match touches(of.as_str(), name.as_str(), args.len as usize) {
        Some((Space::Dictionary | Space::Random | Space::Input, _)) | None => false,
        // Who only waits is not told anything.
        Some((Space::Timers, Reads)) => false,
        Some((Space::Names, Reads)) => !name.as_str().starts_with("send"),
        Some(_) => true,
    }
}

/// Whether a call links its process to another one: they end together.
pub(crate) fn links(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    does(build, module, node, Effect::Links)
}

/// Whether a call links its process to one that is there already.
pub(crate) fn links_to_other(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    does(build, module, node, Effect::LinksExisting)
}

/// Whether a call that starts a process may link to it.
pub(crate) fn may_link(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    // What is started by a name that is computed may be linked.
    library::effects(build, module, node).is_none_or(|effects| effects.has(Effect::MayLink))
}

/// Whether a call makes a table.
pub(crate) fn makes_table(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    library::name(build, module, node)
        .is_some_and(|(of, name)| (of.as_str(), name.as_str()) == ("ets", "new"))
}

/// Whether a call of the library waits for somebody, or for time to pass.
pub(crate) fn waits(build: &Build<'_>, module: ModuleId, node: NodeId) -> bool {
    let Some((of, _)) = library::name(build, module, node) else { return false };
    match of.as_str() {
        "io" => build.has_io_servers,
        _ => does(build, module, node, Effect::Waits),
    }
}
