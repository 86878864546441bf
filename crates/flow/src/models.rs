//! Models of library modules that are not part of the program: small Erlang modules, written for
//! the analysis, that say how values, calls, processes and messages flow through a library
//! function. See [`crate::primitives`] for the words they use.
//!
//! A model's function is instantiated for each call of the program (so `lists:map` here does not
//! mix its elements with those of `lists:map` there), and everything that happens in it belongs to
//! that call. Three rules make behaviours readable, in code that runs in a process which the model
//! starts:
//! * a message that a `receive` takes goes to the callbacks that the clause calls with a part of
//!   it;
//! * a message that is sent inside a `case` on what a callback returned comes from the callback's
//!   return, any other message that the process sends from the returns of all callbacks;
//! * what the spawned fun or a function `run` calls is what the process runs first.
//!
//! When the real module is part of the program, its own code is used; the model stands in for
//! functions that are native ([`crate::contexts`]).

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use atom::Atom;
use program::index::ModuleIndex;
use syntax::options::Options;
use syntax::source::NoFiles;

use crate::sources::Sources;

macro_rules! models {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../models/", $name, ".erl")))),*]
    };
}

const MODELS: &[(&str, &str)] = models![
    "application",
    "array",
    "dict",
    "erlang",
    "erpc",
    "ets",
    "filelib",
    "gb_trees",
    "gen_event",
    "gen_server",
    "gen_statem",
    "global",
    "io",
    "lists",
    "logger",
    "maps",
    "persistent_term",
    "pg",
    "proc_lib",
    "proplists",
    "queue",
    "rpc",
    "sets",
    "supervisor",
    "sys",
    "timer",
];

/// Modules with the same functions as another one, for which one model is enough.
const SAME: &[(&str, &str)] = &[("gb_sets", "sets"), ("orddict", "dict"), ("ordsets", "sets")];

/// Every model: the name of the module, and its text.
fn all() -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
    let own = MODELS.iter().map(|&(name, text)| (name, Cow::Borrowed(text)));
    let same = SAME.iter().flat_map(|&(name, like)| {
        let head = (format!("-module({like})"), format!("-module({name})"));
        let model = MODELS.iter().find(|(model, _)| *model == like);
        model.map(|(_, text)| (name, Cow::Owned(text.replacen(&head.0, &head.1, 1))))
    });
    own.chain(same)
}

/// Modules that neither keep nor call what they are given, but for what a model says: their results
/// come from outside.
const INERT: &[&str] = &[
    "atomics",
    "base64",
    "binary",
    "calendar",
    "code",
    "counters",
    "crypto",
    "ct",
    "disk_log",
    "epp",
    "erl_anno",
    "erl_eval",
    "erl_parse",
    "erl_pp",
    "erl_scan",
    "error_logger",
    "file",
    "filelib",
    "filename",
    "gen_sctp",
    "gen_tcp",
    "gen_udp",
    "inet",
    "init",
    "io_lib",
    "logger",
    "math",
    "net_adm",
    "net_kernel",
    "os",
    "rand",
    "random",
    "re",
    "socket",
    "ssl",
    "string",
    "unicode",
    "uri_string",
    "zlib",
];

/// Whether a module's functions are known to keep and call nothing.
pub(crate) fn is_inert(module: Atom) -> bool {
    INERT.binary_search(&module.as_str()).is_ok()
}

/// Adds the models. Of modules that the program has they stand in for native functions only.
pub(crate) fn add(sources: &mut Sources<'_>) {
    for (name, text) in all() {
        let name_atom = Atom::new(name);
        let tree = read(name, &text);
        let index = ModuleIndex::of(&tree);
        sources.add(name_atom, Arc::new(tree), Cow::Owned(index), true);
    }
}

fn read(name: &str, text: &str) -> syntax::ast::Module {
    let options = Options::default();
    let path = format!("{name}.erl");
    syntax::read_module_bytes(Path::new(&path), text.as_bytes().to_vec(), &NoFiles, &options)
}

#[cfg(test)]
mod tests {
    use super::{Atom, INERT, ModuleIndex, all, read};

    #[test]
    fn models_are_erlang() {
        for (name, text) in all() {
            let tree = read(name, &text);
            let found: Vec<String> =
                tree.diagnostics.iter().map(|found| found.message.clone()).collect();
            assert!(found.is_empty(), "{name}: {found:?}");
            assert_eq!(ModuleIndex::of(&tree).name, Some(Atom::new(name)));
        }
    }

    #[test]
    fn inert_modules_are_sorted() {
        assert!(INERT.is_sorted());
    }
}
