//! Whether an execution needs a node that is up: the processes and tables that start with it.
//!
//! Starting a node takes many times as long as exploring a small test. So a test is explored on a
//! Machine with nothing in it, until an execution looks for something of the node: one of its
//! registered names or named tables, or which names there are. Up to there both are the same.

use machine::footprint::{Class, Object};
use rustc_hash::FxHashSet;
use term::Atom;

use crate::outcome::Execution;

/// Registered names of what starts with a node, and of what only a node can start.
const NAMES: &[&str] = &[
    "application_controller",
    "code_server",
    "erl_prim_loader",
    "erl_signal_server",
    "erts_code_purger",
    "error_logger",
    "file_server_2",
    "global_group",
    "global_name_server",
    "inet_db",
    "init",
    "kernel_refc",
    "kernel_safe_sup",
    "kernel_sup",
    "logger",
    "logger_sup",
    "net_kernel",
    "net_sup",
    "rex",
    "timer_server",
];

const TABLES: &[&str] = &["ac_tab", "global_names", "logger"];

/// Looks out for executions that need a node.
pub struct Lookout {
    known: FxHashSet<Object>,
}

impl Default for Lookout {
    fn default() -> Lookout {
        let named = |class, names: &[&str]| -> Vec<Object> {
            names.iter().map(|name| Object::named(class, Atom::new(name))).collect()
        };
        let names = named(Class::Name, NAMES).into_iter();
        let all = [Object::all(Class::Name), Object::all(Class::TableName)];
        Lookout { known: names.chain(named(Class::TableName, TABLES)).chain(all).collect() }
    }
}

impl Lookout {
    /// Whether an execution looked for something of a node. What was in earlier executions was
    /// looked at.
    pub fn sees(&self, execution: &Execution<'_>) -> bool {
        let new = execution.events.iter().skip(execution.new_from);
        new.flat_map(|event| &event.footprint().0).any(|access| {
            matches!(access.object.class, Class::Name | Class::TableName)
                && self.known.contains(&access.object)
        })
    }
}
