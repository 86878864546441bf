//! Proofs that a function does the same in both versions, for every input of its types.
//!
//! A module is made that calls the old version, then the new one, and compares how they ended:
//!
//! ```erlang
//! both(A, B) ->
//!     Old = try 'm (old)':f(A, B) of V -> {returned, V} catch C:R -> {C, R} end,
//!     New = …,
//!     case Old =:= New of true -> true; false -> false end.
//! ```
//!
//! The paths of that function are followed ([`crate::concolic`]); the last decision of each is
//! whether two expressions over the unknown inputs are equal, which is turned like any other. If
//! the search is complete and no path gives `false`, no input does: that is a proof, not a test.
//! Inputs that do give `false` are run first by whoever looks for differences.
//!
//! Modules of the old version have other names there, so nothing may depend on what a module is
//! called or on what ran before: functions that speak of modules as values, call what only a run
//! knows, have effects, receive, or are changed by parse transforms have no such proof
//! ([`is_plain`]); nor have those that write or send (the caller sees to that).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use ::compare::Function;
use atom::{Atom, known, quote};
use program::index::NameArity;
use program::project::Unit;
use program::resolve::Target;
use program::{LoadedModule, Program};
use syntax::ast::{BinaryOp, Kind, Module, NodeId};
use syntax::diagnostic::Severity;

/// The module that calls both.
const BOTH: &str = "erlscope_both";

/// Both versions of a program as one, as far as functions need them.
pub(super) struct Joined {
    old: Arc<Program>,
    new: Arc<Program>,
    /// Modules of the old version under their other names; none if one cannot be had.
    renamed: BTreeMap<Atom, Option<Arc<Module>>>,
}

impl Joined {
    pub(super) fn new(old: &Arc<Program>, new: &Arc<Program>) -> Joined {
        Joined { old: Arc::clone(old), new: Arc::clone(new), renamed: BTreeMap::new() }
    }

    /// A program that has both versions of a function, and the function that calls both; none if
    /// they cannot be called one after the other.
    pub(super) fn both(&mut self, old: Function, new: Function) -> Option<(Arc<Program>, String)> {
        let (_, (_, arity)) = old;
        let before = reached(&self.old, old)?;
        let after = reached(&self.new, new)?;
        let mut modules = Vec::new();
        for name in after {
            let module = self.new.module(name)?;
            modules.push((module.unit.clone(), Arc::clone(&module.tree)));
        }
        for name in before {
            let tree = self.renamed(name)?;
            modules.push((self.old.module(name)?.unit.clone(), tree));
        }
        let mut unit = modules.first()?.0.clone();
        unit.path = PathBuf::from(format!("{BOTH}.erl"));
        let tree = read(&unit, &text(old, new));
        modules.push((unit, Arc::new(tree)));
        let program = self.new.of_trees(modules);
        Some((Arc::new(program), format!("{BOTH}:both/{arity}")))
    }

    /// A module of the old version under its other name, calling those under theirs.
    fn renamed(&mut self, name: Atom) -> Option<Arc<Module>> {
        if let Some(known) = self.renamed.get(&name) {
            return known.clone();
        }
        let made = self.old.module(name).and_then(|module| rename(module, &self.old));
        self.renamed.insert(name, made.clone());
        made
    }
}

/// The text of the module that calls both.
fn text((old, (name, arity)): Function, (new, (other, _)): Function) -> String {
    let args: Vec<String> = (1..=arity).map(|number| format!("A{number}")).collect();
    let args = args.join(", ");
    let call = |module: &str, name: Atom, which: &str| {
        let (module, name) = (quote::atom(module), quote::atom(name.as_str()));
        format!(
            "try {module}:{name}({args}) of V{which} -> {{returned, V{which}}} \
             catch C{which}:R{which} -> {{C{which}, R{which}}} end"
        )
    };
    let (old, new) = (call(&old_name(old), name, "1"), call(new.as_str(), other, "2"));
    format!(
        "-module({BOTH}).\n-export([both/{arity}]).\n\
         both({args}) ->\n    Old = {old},\n    New = {new},\n    \
         case Old =:= New of true -> true; false -> false end.\n"
    )
}

fn old_name(module: Atom) -> String {
    format!("{module} (old)")
}

/// The modules of a program that a function can reach; none if one of the functions that it
/// reaches is not plain.
fn reached(program: &Program, from: Function) -> Option<BTreeSet<Atom>> {
    let mut seen: BTreeSet<Function> = BTreeSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        if !seen.insert(function) {
            continue;
        }
        let module = program.module(function.0)?;
        let has_transforms = !module.index.parse_transforms.is_empty()
            || !module.unit.erl_opts.parse_transforms.is_empty();
        if has_transforms || module.index.on_load.is_some() {
            return None;
        }
        let &form = module.index.functions.get(function.1)?;
        open.extend(calls(program, module, form)?);
    }
    Some(seen.into_iter().map(|(module, _)| module).collect())
}

/// The functions of the program that a function calls; none if it does anything else than compute
/// a value from its arguments.
fn calls(program: &Program, module: &LoadedModule, form: NodeId) -> Option<Vec<Function>> {
    let tree = &module.tree;
    let (mut called, mut plain) = (Vec::new(), true);
    let mut modules: BTreeSet<NodeId> = BTreeSet::new();
    let mut atoms: Vec<NodeId> = Vec::new();
    tree.for_each_below(form, |node| {
        match tree.kind(node) {
            Kind::Remote { module, .. } | Kind::FunRemote { module, .. } => {
                modules.insert(module);
            }
            Kind::Atom(name) if program.module(name).is_some() => atoms.push(node),
            Kind::Receive { .. } | Kind::BinaryOp { op: BinaryOp::Send, .. } => plain = false,
            _ => {}
        }
        match module.target(node) {
            Some(Target::Local(function)) => called.push((module.name, function)),
            Some(Target::Remote(of, function)) if program.module(of).is_some() => {
                called.push((of, function));
            }
            Some(Target::Remote(of, function)) => plain &= is_plain(of, function),
            Some(Target::Dynamic) => {
                // A fun may be called; which module is called must be written.
                plain &= matches!(tree.kind(node), Kind::Call { callee, .. }
                    if !matches!(tree.kind(callee), Kind::Remote { .. }));
            }
            None => {}
        }
    });
    // A name of a module as a value, or an import of one.
    plain &= atoms.iter().all(|node| modules.contains(node));
    plain &= !module.index.imports.iter().any(|(_, from)| program.module(*from).is_some());
    plain.then_some(called)
}

/// Library modules whose functions only compute.
const PLAIN: &[&str] = &[
    "array",
    "base64",
    "binary",
    "dict",
    "gb_sets",
    "gb_trees",
    "io_lib",
    "lists",
    "maps",
    "math",
    "orddict",
    "ordsets",
    "proplists",
    "queue",
    "sets",
    "sofs",
    "string",
    "unicode",
];

/// Builtins that only compute, beside those whose names begin with `is_`, contain `_to_` or are
/// operators.
const BUILTINS: &[&str] = &[
    "abs",
    "adler32",
    "append",
    "append_element",
    "binary_part",
    "bit_size",
    "byte_size",
    "ceil",
    "crc32",
    "delete_element",
    "element",
    "error",
    "exit",
    "float",
    "floor",
    "hd",
    "insert_element",
    "iolist_size",
    "length",
    "make_tuple",
    "map_get",
    "map_size",
    "max",
    "md5",
    "min",
    "phash2",
    "raise",
    "round",
    "self",
    "setelement",
    "size",
    "split_binary",
    "throw",
    "tl",
    "trunc",
    "tuple_size",
];

/// Whether a function of a library gives the same for the same arguments, whatever ran before, and
/// leaves nothing behind.
fn is_plain(module: Atom, (name, arity): NameArity) -> bool {
    if module != known::ERLANG {
        return PLAIN.contains(&module.as_str());
    }
    let name = name.as_str();
    let is_operator = !name.starts_with(|c: char| c.is_ascii_lowercase())
        || matches!(name, "and" | "or" | "xor" | "not" | "div" | "rem" | "bnot" | "band" | "bor")
        || matches!(name, "bxor" | "bsl" | "bsr");
    match name {
        "!" => false,
        // To another process.
        "exit" => arity == 1,
        // What is known to the node.
        "is_alive" | "is_process_alive" | "is_builtin" => false,
        _ if name.contains("existing") || name.contains("pid") || name.contains("ref") => false,
        _ => {
            is_operator
                || name.starts_with("is_")
                || name.contains("_to_")
                || BUILTINS.contains(&name)
        }
    }
}

/// A module under its other name.
fn rename(module: &LoadedModule, program: &Program) -> Option<Arc<Module>> {
    // Without macros and headers: every name is where it is written.
    let text = syntax::unparse::module(&module.tree);
    let tree = read(&module.unit, &text);
    let mut places: BTreeSet<(u32, u32, Atom)> = BTreeSet::new();
    for &form in &tree.forms {
        let attribute = match tree.kind(form) {
            Kind::ModuleAttribute { name } => Some(name),
            _ => None,
        };
        let mut add = |node: NodeId| {
            if let Kind::Atom(name) = tree.kind(node)
                && program.module(name).is_some()
            {
                let span = tree.span(node);
                places.insert((span.start, span.end, name));
            }
        };
        attribute.into_iter().for_each(&mut add);
        if let Kind::Function { .. } = tree.kind(form) {
            tree.for_each_below(form, |node| {
                if let Kind::Remote { module, .. } | Kind::FunRemote { module, .. } =
                    tree.kind(node)
                {
                    add(module);
                }
            });
        }
    }
    let mut renamed = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end, name) in places {
        renamed.push_str(text.get(from..start as usize)?);
        renamed.push_str(&quote::atom(&old_name(name)));
        from = end as usize;
    }
    renamed.push_str(text.get(from..)?);
    let tree = read(&module.unit, &renamed);
    let is_wrong = tree.diagnostics.iter().any(|found| found.severity == Severity::Error);
    (!is_wrong).then(|| Arc::new(tree))
}

/// A text as it would be read in the place of a module.
fn read(unit: &Unit, text: &str) -> Module {
    let bytes = text.as_bytes().to_vec();
    syntax::read_module_bytes(&unit.path, bytes, &unit.files, &unit.options)
}
