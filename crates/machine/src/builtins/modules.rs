//! Modules that have builtins: what holds for all of a module's functions.

use super::row::Entry;

/// A module with builtins.
pub(crate) struct Module {
    pub(crate) name: &'static str,
    /// The module that explains errors of its functions (`error_info`).
    pub(crate) errors: Option<&'static str>,
    /// How its functions are seen in stack traces, unless a row says otherwise.
    pub(crate) entry: Entry,
}

const ERTS: Option<&str> = Some("erl_erts_errors");
const STDLIB: Option<&str> = Some("erl_stdlib_errors");
const KERNEL: Option<&str> = Some("erl_kernel_errors");

macro_rules! modules {
    ($($id:ident = $name:literal, $errors:expr, $entry:ident;)*) => {
        $(pub(crate) const $id: Module =
            Module { name: $name, errors: $errors, entry: Entry::$entry };)*

        const ALL: &[&Module] = &[$(&$id),*];
    };
}

modules! {
    ATOMICS = "atomics", ERTS, Builtin;
    BINARY = "binary", STDLIB, Builtin;
    COUNTERS = "counters", ERTS, Builtin;
    ERLANG = "erlang", ERTS, Builtin;
    ERTS_DEBUG = "erts_debug", ERTS, Builtin;
    ERTS_INTERNAL = "erts_internal", ERTS, Builtin;
    ETS = "ets", STDLIB, Builtin;
    FILE = "file", ERTS, Builtin;
    IO_LIB = "io_lib", ERTS, Library;
    LISTS = "lists", STDLIB, Library;
    MAPS = "maps", STDLIB, Builtin;
    MATH = "math", STDLIB, Builtin;
    // Parts of library functions, which have entries.
    NATIVE = "erlscope_native", ERTS, None;
    OS = "os", KERNEL, Builtin;
    PERSISTENT_TERM = "persistent_term", ERTS, Builtin;
    PRIM_FILE = "prim_file", ERTS, Builtin;
    RE = "re", STDLIB, Builtin;
    STRING = "string", None, Builtin;
    UNICODE = "unicode", STDLIB, Library;
    UNICODE_UTIL = "unicode_util", None, Library;
}

/// The module that explains errors of a module's functions.
pub(crate) fn error_module(module: &str) -> Option<&'static str> {
    ALL.iter().find(|known| known.name == module).map_or(ERTS, |known| known.errors)
}
