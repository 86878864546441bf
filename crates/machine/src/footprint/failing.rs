//! Calls that fail whatever others do: they touch nothing.
//!
//! Most builtins fail because of their arguments only. Others can fail because of what others did (a name that is taken, a
//! table that is gone), and have read that; for these it is not known which of the two it was.

use super::is_for;

/// Builtins of which the arguments alone decide whether they fail.
const ARGUMENTS_DECIDE: &[(&str, &[&str])] = &[
    (
        "erlang",
        &[
            "spawn",
            "spawn_link",
            "spawn_monitor",
            "spawn_opt",
            "spawn_request",
            "spawn_request_abandon",
            "exit",
            "unlink",
            "monitor",
            "demonitor",
            "alias",
            "unalias",
            "is_process_alive",
            "whereis",
            "process_info",
            "process_flag",
            "unique_integer",
            "send_after",
            "start_timer",
            "cancel_timer",
            "read_timer",
            "monotonic_time",
            "system_time",
        ],
    ),
    ("os", &["system_time", "perf_counter"]),
    // How many cells an array has never changes.
    ("atomics", &[]),
    ("counters", &[]),
    ("persistent_term", &["put"]),
];

/// Whether a builtin that failed would have failed in any state.
pub(crate) fn fails_anyway(module: &str, name: &str) -> bool {
    ARGUMENTS_DECIDE.iter().any(|(m, names)| is_for(m, names, module, name))
}
