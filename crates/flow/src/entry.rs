//! Where a program is entered: the functions that a user names, or, for a program that is only
//! given as modules, its exported functions in an order that lets the program speak first.

use std::fmt;

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{Kind, NodeId};

use crate::sources::{FunctionId, Sources};

/// Where the program is entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// By the exported functions, with anything: first by those that nothing in the program names,
    /// then by those that were not reached from there, callbacks of behaviours last. What the
    /// program itself calls is taken to be called by the program alone.
    Exported,
    /// By all exported functions, with anything, as any client could use the program: pids that it
    /// hands out (what `start` returns) come back as arguments. Callbacks of behaviours are entered
    /// only if nothing calls them.
    Client,
    /// By these functions: module, name, and arity unless all of that name are meant.
    Functions(Vec<(Atom, Atom, Option<u32>)>),
}

impl Entry {
    /// One function.
    pub fn function(module: &str, name: &str, arity: u32) -> Entry {
        Entry::Functions(vec![(Atom::new(module), Atom::new(name), Some(arity))])
    }
}

/// An entry that the program does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEntry {
    pub module: Atom,
    pub name: Atom,
    pub arity: Option<u32>,
    /// Whether the module is there.
    pub has_module: bool,
    /// Arities of functions with that name.
    pub others: Vec<u32>,
}

impl fmt::Display for UnknownEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.has_module {
            return write!(f, "the program has no module '{}'", self.module);
        }
        write!(f, "module '{}' has no function {}", self.module, self.name)?;
        if let Some(arity) = self.arity {
            write!(f, "/{arity}")?;
        }
        let others: Vec<String> =
            self.others.iter().map(|arity| format!("{}/{arity}", self.name)).collect();
        if others.is_empty() { Ok(()) } else { write!(f, ", but {}", others.join(", ")) }
    }
}

impl std::error::Error for UnknownEntry {}

/// The functions that an entry names, in ranks: one of a later rank is entered only if it was not
/// reached from those before.
pub(crate) fn ranked(
    sources: &Sources<'_>,
    entry: &Entry,
) -> Result<Vec<Vec<FunctionId>>, UnknownEntry> {
    let names = match entry {
        Entry::Functions(names) => names,
        Entry::Exported => return Ok(exported(sources, &mentioned(sources))),
        Entry::Client => return Ok(exported(sources, &FxHashSet::default())),
    };
    let mut found = Vec::new();
    for &(module, name, arity) in names {
        let id = sources.module(module);
        let named = || {
            sources.own_functions().filter(|&function| {
                let function = sources.function(function);
                Some(function.module) == id && function.name == name && !function.is_fun()
            })
        };
        let before = found.len();
        found.extend(
            named().filter(|&id| arity.is_none_or(|arity| sources.function(id).arity == arity)),
        );
        if found.len() == before {
            let others = named().map(|id| sources.function(id).arity).collect();
            return Err(UnknownEntry { module, name, arity, has_module: id.is_some(), others });
        }
    }
    Ok(vec![found])
}

/// The functions that run when modules of the program are loaded.
pub(crate) fn on_load(sources: &Sources<'_>) -> Vec<FunctionId> {
    let named = sources.own_modules().filter_map(|(module, source)| {
        let (name, arity) = source.index.on_load?;
        sources.find(module, name, arity)
    });
    named.collect()
}

/// The exported functions in ranks; those that are mentioned elsewhere come later.
fn exported(sources: &Sources<'_>, mentioned: &FxHashSet<FunctionId>) -> Vec<Vec<FunctionId>> {
    let mut ranks = vec![Vec::new(), Vec::new(), Vec::new()];
    for id in sources.own_functions().filter(|&id| sources.function(id).exported) {
        let function = sources.function(id);
        let source = sources.source(function.module);
        let rank = if !source.index.behaviours.is_empty() && is_callback(function.name) {
            2
        } else if mentioned.contains(&id) {
            1
        } else {
            0
        };
        ranks[rank].push(id);
    }
    ranks
}

/// Names of callbacks of the behaviours that are modelled.
fn is_callback(name: Atom) -> bool {
    matches!(
        name.as_str(),
        "init"
            | "handle_call"
            | "handle_cast"
            | "handle_info"
            | "handle_continue"
            | "handle_event"
            | "callback_mode"
            | "terminate"
            | "code_change"
            | "format_status"
    )
}

/// The functions that something else in the program names: by a call, by a fun, or by module and
/// name side by side, as arguments of `spawn` or in a tuple.
fn mentioned(sources: &Sources<'_>) -> FxHashSet<FunctionId> {
    let mut found = FxHashSet::default();
    for (module, source) in sources.own_modules() {
        let tree = &source.tree;
        for &form in &tree.forms {
            if !matches!(tree.kind(form), Kind::Function { .. }) {
                continue;
            }
            let mut named: Vec<FunctionId> = Vec::new();
            tree.for_each_below(form, |node| {
                let target = program::resolve::target(tree, &source.index, node);
                if let Some((of, name, arity)) = target.and_then(|target| target.mfa(source.name)) {
                    let of = if of == source.name { Some(module) } else { sources.module(of) };
                    named.extend(of.and_then(|of| sources.find(of, name, arity)));
                }
                let siblings: &[NodeId] = match tree.kind(node) {
                    Kind::Call { args, .. } => tree.list(args),
                    Kind::Tuple { elements } => tree.list(elements),
                    _ => &[],
                };
                for pair in siblings.windows(2) {
                    if let (Kind::Atom(of), Kind::Atom(name)) =
                        (tree.kind(pair[0]), tree.kind(pair[1]))
                        && let Some(of) = sources.module(of)
                    {
                        let functions = sources.source(of).index.functions.iter();
                        let same = functions.filter(|((known, _), _)| *known == name);
                        named.extend(
                            same.filter_map(|((_, arity), _)| sources.find(of, name, arity)),
                        );
                    }
                }
            });
            // A function that names itself only is still an entry.
            found.extend(named.into_iter().filter(|&id| {
                sources.function(id).node != form || sources.function(id).module != module
            }));
        }
    }
    found.retain(|&id| sources.function(id).name != known::MODULE_INFO);
    found
}
