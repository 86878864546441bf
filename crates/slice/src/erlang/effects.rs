//! State that outlives calls: what is written at one place and read at another without being handed over.
//!
//! A function of the table reads or writes a *state*: the process dictionary by key, tables, registered
//! names, and so on. A read depends on all writes to the same state, wherever they are: that keeps more
//! than the runs need, and never less. Writes to the process dictionary under one literal key are no
//! writes under another.

use std::collections::BTreeMap;

use syntax::ast::NodeId;

use super::build::Build;
use super::expressions::Walker;
use super::fields::literal_key;
use super::library;
use super::nodes::Role;
use crate::core::{EdgeKind, Label, Node};

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
    Code,
    /// That of a module that keeps something.
    Other(&'static str),
}

/// Functions of modules; the first row that fits counts. An empty name is every function.
const TABLE: &[(&str, &[&str], Space, Touch)] = &[
    ("erlang", &["get", "get_keys"], Space::Dictionary, Reads),
    ("erlang", &["put", "erase"], Space::Dictionary, Both),
    ("erlang", &["whereis", "registered"], Space::Names, Reads),
    ("erlang", &["register", "unregister"], Space::Names, Both),
    ("erlang", &["send", "send_nosuspend"], Space::Names, Reads),
    (
        "erlang",
        &[
            "link",
            "unlink",
            "monitor",
            "demonitor",
            "process_flag",
            "exit_signal",
            "spawn_link",
            "spawn_monitor",
            "spawn_opt",
            "group_leader",
            "suspend_process",
            "resume_process",
        ],
        Space::Processes,
        Both,
    ),
    ("erlang", &["is_process_alive", "process_info", "processes"], Space::Processes, Reads),
    ("erlang", &["send_after", "start_timer", "cancel_timer"], Space::Timers, Both),
    ("erlang", &["read_timer"], Space::Timers, Reads),
    ("erlang", &["load_module", "delete_module", "purge_module"], Space::Code, Both),
    (
        "ets",
        &[
            "lookup",
            "lookup_element",
            "member",
            "info",
            "first",
            "next",
            "last",
            "prev",
            "match",
            "match_object",
            "select",
            "select_count",
            "select_reverse",
            "tab2list",
            "foldl",
            "foldr",
            "slot",
            "all",
            "whereis",
        ],
        Space::Tables,
        Reads,
    ),
    ("ets", &[], Space::Tables, Both),
    ("digraph", &[], Space::Tables, Both),
    ("persistent_term", &["get"], Space::Terms, Reads),
    ("persistent_term", &[], Space::Terms, Both),
    ("application", &["get_env", "get_all_env"], Space::Environment, Reads),
    ("application", &[], Space::Environment, Both),
    ("os", &["getenv", "env"], Space::Environment, Reads),
    ("os", &["putenv", "unsetenv", "set_env_var"], Space::Environment, Both),
    ("file", &[], Space::Files, Both),
    ("filelib", &[], Space::Files, Both),
    ("io", &["get_line", "get_chars", "read", "fread", "scan_erl_exprs"], Space::Input, Both),
    ("rand", &[], Space::Random, Both),
    ("random", &[], Space::Random, Both),
    ("counters", &["get", "info"], Space::Counters, Reads),
    ("counters", &[], Space::Counters, Both),
    ("atomics", &["get", "info"], Space::Counters, Reads),
    ("atomics", &[], Space::Counters, Both),
    ("timer", &["sleep", "seconds", "minutes", "hours", "hms", "now_diff"], Space::Timers, Reads),
    ("timer", &[], Space::Timers, Both),
    ("code", &[], Space::Code, Both),
    ("global", &[], Space::Names, Both),
    ("dets", &[], Space::Other("dets"), Both),
    ("mnesia", &[], Space::Other("mnesia"), Both),
    ("pg", &[], Space::Other("pg"), Both),
    ("disk_log", &[], Space::Other("disk_log"), Both),
    ("seq_trace", &[], Space::Other("seq_trace"), Both),
];

/// The keys under which a state was touched.
#[derive(Debug, Default)]
struct Users {
    readers: Vec<(Option<String>, Node)>,
    writers: Vec<(Option<String>, Node)>,
}

/// Who reads and writes which state.
#[derive(Debug, Default)]
pub(crate) struct States {
    users: BTreeMap<Space, Users>,
}

impl States {
    fn reads(&mut self, space: Space, key: Option<String>, node: Node) {
        self.users.entry(space).or_default().readers.push((key, node));
    }

    fn writes(&mut self, space: Space, key: Option<String>, node: Node) {
        self.users.entry(space).or_default().writers.push((key, node));
    }

    /// A receive sees what becomes of processes.
    pub(crate) fn receives(&mut self, node: Node) {
        self.reads(Space::Processes, None, node);
    }

    /// A send to a name sees what the name means.
    pub(crate) fn sends(&mut self, node: Node) {
        self.reads(Space::Names, None, node);
    }

    /// From every read to every write of the same state; each through one node for each key.
    pub(crate) fn connect(build: &mut Build<'_>) {
        let states = std::mem::take(&mut build.states);
        for users in states.users.values() {
            let mut by_key: BTreeMap<&Option<String>, Node> = BTreeMap::new();
            for (key, reader) in &users.readers {
                let state = match by_key.get(key) {
                    Some(&state) => state,
                    None => {
                        let state = build.node(0, NodeId(0), Role::State);
                        for (written, writer) in &users.writers {
                            if key.is_none() || written.is_none() || key == written {
                                build.jump(state, *writer, EdgeKind::State, Label::All);
                            }
                        }
                        by_key.insert(key, state);
                        state
                    }
                };
                build.jump(*reader, state, EdgeKind::State, Label::All);
            }
        }
    }
}

fn touches(module: &str, name: &str, arity: usize) -> Option<(Space, Touch)> {
    // `exit/2` is a signal, `exit/1` is not.
    let name = if (module, name, arity) == ("erlang", "exit", 2) { "exit_signal" } else { name };
    let row = TABLE
        .iter()
        .find(|(of, names, ..)| *of == module && (names.is_empty() || names.contains(&name)));
    row.map(|(_, _, space, touch)| (*space, *touch))
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
    let Some((space, touch)) = touches(module.as_str(), name.as_str(), args.len()) else { return };
    let key = match (space, args.first()) {
        (Space::Dictionary, Some(&key)) => literal_key(&walker.tree, key),
        _ => None,
    };
    if touch != Writes {
        // What a send sees decides where it goes, not what it gives.
        let reader =
            if space == Space::Names && name.as_str().starts_with("send") { done } else { value };
        walker.build.states.reads(space, key.clone(), reader);
    }
    if touch != Reads {
        walker.build.states.writes(space, key, done);
        if space != Space::Dictionary {
            // Whether and how it changes the state may depend on the state.
            walker.build.states.reads(space, None, done);
        }
    }
}

/// Whether a call makes it possible to notice that a process ends.
pub(crate) fn watches(build: &Build<'_>, module: u32, node: NodeId) -> bool {
    let Some((of, name)) = library::name(build, module, node) else { return false };
    let linking = [
        "link",
        "monitor",
        "spawn_link",
        "spawn_monitor",
        "spawn_opt",
        "process_flag",
        "is_process_alive",
        "process_info",
        "start_link",
        "start_monitor",
        "whereis",
    ];
    linking.contains(&name.as_str()) || (of.as_str() == "timer" && name.as_str() != "sleep")
}

/// Whether a call of the library waits for somebody, or for time to pass.
pub(crate) fn waits(build: &Build<'_>, module: u32, node: NodeId) -> bool {
    let Some((of, name)) = library::name(build, module, node) else { return false };
    match of.as_str() {
        "timer" => name.as_str() == "sleep",
        "gen_server" | "gen_statem" | "gen_event" | "supervisor" | "sys" | "rpc" | "erpc"
        | "proc_lib" | "gen" | "global" => true,
        _ => false,
    }
}
