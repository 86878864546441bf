//! What changed between two versions: modules that belong together, functions whose trees differ,
//! and the exported functions that can reach one of those.
//!
//! Trees are compared without places and layout (`syntax::compare`). A function is changed, too, if
//! the definition of a record that it speaks of is, or something that all of a module depends on
//! (`-compile`, `-on_load`, imports). What reaches what is read from the trees: calls, funs by
//! name, and from who speaks to a behaviour to the callbacks of its module. Calls of functions that
//! only a run knows (`M:F()`) are not followed: an entry that reaches a change that way alone is
//! not found, which is why one can be named.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use atom::Atom;
use inputs::constants;
use program::index::NameArity;
use program::{LoadedModule, Program};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, RecordName};
use syntax::compare::same_trees;

/// A function by module, name and arity.
pub type Function = (Atom, NameArity);

/// What changed. Functions of pairs have the names that they have in the old version.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Modules of the old version and what they became, in the order of the old names.
    pub modules: BTreeMap<Atom, Atom>,
    /// Functions of both versions that differ.
    pub changed: BTreeSet<Function>,
    /// Functions of the new version only, by the names that they have there.
    pub added: BTreeSet<Function>,
    /// Functions of the old version only.
    pub removed: BTreeSet<Function>,
    /// Modules of one version only.
    pub only_old: Vec<Atom>,
    pub only_new: Vec<Atom>,
    /// How many functions are the same.
    pub same: usize,
}

/// An exported function of both versions that can reach a change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub old: Function,
    pub new: Function,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }

    /// What a function of the old version is called in the new one.
    pub fn renamed(&self, (module, function): Function) -> Function {
        (self.modules.get(&module).copied().unwrap_or(module), function)
    }
}

/// Compares two versions.
pub fn changes(old: &Program, new: &Program) -> Changes {
    let mut changes = Changes::default();
    pair_modules(old, new, &mut changes);
    for (&before, &after) in &changes.modules.clone() {
        let (Some(before), Some(after)) = (old.module(before), new.module(after)) else { continue };
        compare_modules(before, after, &mut changes);
    }
    changes
}

/// Modules of one name belong together; and if each version has one other module, these do.
fn pair_modules(old: &Program, new: &Program, changes: &mut Changes) {
    let names = |program: &Program| {
        program.modules.iter().map(|module| module.name).collect::<BTreeSet<Atom>>()
    };
    let (olds, news) = (names(old), names(new));
    changes.modules = olds.intersection(&news).map(|&name| (name, name)).collect();
    changes.only_old = olds.difference(&news).copied().collect();
    changes.only_new = news.difference(&olds).copied().collect();
    if let ([before], [after]) = (&changes.only_old[..], &changes.only_new[..]) {
        changes.modules.insert(*before, *after);
        changes.only_old.clear();
        changes.only_new.clear();
    }
}

fn compare_modules(old: &LoadedModule, new: &LoadedModule, changes: &mut Changes) {
    let all = !same_settings(old, new);
    let records = changed_records(old, new);
    for (function, &before) in old.index.functions.iter() {
        let Some(&after) = new.index.functions.get(function) else {
            changes.removed.insert((old.name, function));
            continue;
        };
        let differs = all
            || same_trees((&old.tree, before), (&new.tree, after)).is_err()
            || speaks_of(&old.tree, before, &records);
        match differs {
            true => _ = changes.changed.insert((old.name, function)),
            false => changes.same += 1,
        }
    }
    let is_new = |function: &NameArity| !old.index.functions.contains(*function);
    let functions = new.index.functions.iter().map(|(function, _)| function);
    changes.added.extend(functions.filter(is_new).map(|function| (new.name, function)));
}

/// Whether what all functions of a module depend on is the same.
fn same_settings(old: &LoadedModule, new: &LoadedModule) -> bool {
    let imports = |module: &LoadedModule| {
        let imports = module.index.imports.iter().map(|(function, from)| (function, *from));
        imports.collect::<BTreeSet<_>>()
    };
    let compile = |module: &LoadedModule| {
        let attributes = module.index.attributes.iter();
        let compile = attributes.filter(|(name, _)| name.as_str() == "compile");
        compile.map(|(_, form)| *form).collect::<Vec<NodeId>>()
    };
    let (before, after) = (compile(old), compile(new));
    old.index.on_load == new.index.on_load
        && imports(old) == imports(new)
        && before.len() == after.len()
        && before
            .iter()
            .zip(&after)
            .all(|(&a, &b)| same_trees((&old.tree, a), (&new.tree, b)).is_ok())
}

/// The records that both versions have and that differ, and those that speak of them.
fn changed_records(old: &LoadedModule, new: &LoadedModule) -> BTreeSet<Atom> {
    let mut changed = BTreeSet::new();
    for (name, record) in old.index.records.iter() {
        let same = new.index.records.get(name).is_none_or(|other| {
            same_trees((&old.tree, record.form), (&new.tree, other.form)).is_ok()
        });
        if !same {
            changed.insert(name);
        }
    }
    // Defaults may make records of other kinds.
    loop {
        let known = changed.len();
        for (name, record) in old.index.records.iter() {
            if speaks_of(&old.tree, record.form, &changed) {
                changed.insert(name);
            }
        }
        if changed.len() == known {
            return changed;
        }
    }
}

/// Whether a node, or one below it, names one of these records: as a record, or as an atom, as
/// `is_record/2` does.
fn speaks_of(tree: &Module, node: NodeId, records: &BTreeSet<Atom>) -> bool {
    let mut found = false;
    if !records.is_empty() {
        tree.for_each_below(node, |node| match tree.kind(node) {
            Kind::Atom(name) => found |= records.contains(&name),
            Kind::Record { name: RecordName::Local(name), .. }
            | Kind::RecordAccess { name: RecordName::Local(name), .. }
            | Kind::RecordIndex { name: RecordName::Local(name), .. } => {
                found |= matches!(tree.kind(name), Kind::Atom(name) if records.contains(&name));
            }
            _ => {}
        });
    }
    found
}

/// The exported functions of both versions from which a change can be reached, in either.
pub fn entries(old: &Program, new: &Program, changes: &Changes) -> Vec<Entry> {
    let targets = changes.changed.iter().chain(&changes.removed).copied();
    let before = reaching(old, targets);
    let renamed = changes.changed.iter().map(|&function| changes.renamed(function));
    let after = reaching(new, renamed.chain(changes.added.iter().copied()));
    let mut entries = Vec::new();
    for (&name, &new_name) in &changes.modules {
        let (Some(module), Some(other)) = (old.module(name), new.module(new_name)) else {
            continue;
        };
        for (function, _) in module.index.functions.iter() {
            let entry = Entry { old: (name, function), new: (new_name, function) };
            if is_exported(module, function)
                && is_exported(other, function)
                && (before.contains(&entry.old) || after.contains(&entry.new))
            {
                entries.push(entry);
            }
        }
    }
    entries
}

/// Exported functions that only one version has: of the old one, of the new one.
pub fn one_sided(
    old: &Program,
    new: &Program,
    changes: &Changes,
) -> (Vec<Function>, Vec<Function>) {
    let lost =
        |program: &Program, other: &Program, functions: &mut dyn Iterator<Item = Function>| {
            let is_lost = |&(module, function): &Function| {
                let exports = |program: &Program, name| {
                    program.module(name).is_some_and(|module| is_exported(module, function))
                };
                exports(program, module) && !exports(other, module)
            };
            functions.filter(is_lost).collect::<Vec<_>>()
        };
    (
        lost(old, new, &mut changes.removed.iter().copied()),
        lost(new, old, &mut changes.added.iter().copied()),
    )
}

/// Whether a function can be called from outside of its module.
pub fn is_exported(module: &LoadedModule, function: NameArity) -> bool {
    module.index.functions.contains(function)
        && (module.index.export_all || module.index.exports.contains(function))
        // What the compiler adds.
        && !matches!(function.0.as_str(), "module_info")
}

/// All functions from which one of the targets can be reached, themselves included.
fn reaching(program: &Program, targets: impl Iterator<Item = Function>) -> BTreeSet<Function> {
    let mut callers: FxHashMap<Function, Vec<Function>> = FxHashMap::default();
    for module in &program.modules {
        let callbacks: Vec<NameArity> = callbacks(module);
        for (function, &form) in module.index.functions.iter() {
            let caller = (module.name, function);
            constants::calls(&module.tree, form, &mut |remote, called| {
                let imported = module.index.imports.get(called).copied();
                let remote = remote.or(imported);
                callers.entry((remote.unwrap_or(module.name), called)).or_default().push(caller);
                if remote.is_some_and(is_behaviour) {
                    for &callback in &callbacks {
                        callers.entry((module.name, callback)).or_default().push(caller);
                    }
                }
            });
        }
    }
    let mut open: VecDeque<Function> = targets.collect();
    let mut found: BTreeSet<Function> = open.iter().copied().collect();
    while let Some(function) = open.pop_front() {
        for &caller in callers.get(&function).into_iter().flatten() {
            if found.insert(caller) {
                open.push_back(caller);
            }
        }
    }
    found
}

/// Modules through which callbacks are called.
fn is_behaviour(module: Atom) -> bool {
    matches!(
        module.as_str(),
        "gen_server" | "gen_statem" | "gen_event" | "gen_fsm" | "supervisor" | "gen" | "proc_lib"
    )
}

/// What a behaviour calls of a module: its exported functions with the names that behaviours know.
fn callbacks(module: &LoadedModule) -> Vec<NameArity> {
    if module.index.behaviours.is_empty() {
        return Vec::new();
    }
    let is_callback = |(name, _): &NameArity| {
        let name = name.as_str();
        matches!(name, "init" | "terminate" | "code_change" | "callback_mode")
            || name.starts_with("handle_")
            || name.starts_with("format_status")
    };
    let functions = module.index.functions.iter().map(|(function, _)| function);
    let exported = functions.filter(|&function| is_exported(module, function));
    // The states of a gen_statem have names of their own.
    let states = module.index.behaviours.iter().any(|(name, _)| name.as_str() == "gen_statem");
    exported.filter(|function| is_callback(function) || (states && function.1 == 3)).collect()
}
